package clausefit.record;

import com.sun.jdi.ReferenceType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The constant pool of a loaded class (JVMS 4.4), as far as instructions name members by it. */
final class Pool {
    /** A field or method as an instruction names it; <code>owner</code> is a binary name, empty for a call that is linked. */
    record Member(String owner, String name, String descriptor) {}

    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int DYNAMIC = 17;
    private static final int INVOKE_DYNAMIC = 18;
    private final ByteBuffer bytes;
    private final int[] places;

    Pool(ReferenceType type) {
        bytes = ByteBuffer.wrap(type.constantPool());
        places = new int[type.constantPoolCount()];
        int at = 0;
        for (int i = 1; i < places.length; i++) {
            places[i] = at;
            int tag = bytes.get(at);
            at += tag == UTF8 ? 3 + (bytes.getShort(at + 1) & 0xffff) : length(tag);
            if (tag == 5 || tag == 6) {
                i++;
            }
        }
    }

    /** How many bytes a constant of a kind takes, its tag among them; not for texts. */
    static int length(int tag) {
        return switch (tag) {
            case 3, 4, 9, 10, 11, 12, DYNAMIC, INVOKE_DYNAMIC -> 5;
            case 5, 6 -> 9;
            case CLASS, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            default -> throw new IllegalArgumentException("a constant of kind " + tag);
        };
    }

    /** Whether a constant is made by code when it is first used. */
    boolean isDynamic(int index) {
        return bytes.get(places[index]) == DYNAMIC;
    }

    /** The binary name of a class; arrays begin with [. */
    String className(int index) {
        return text(second(index, 1)).replace('/', '.');
    }

    Member member(int index) {
        boolean isLinked = bytes.get(places[index]) == INVOKE_DYNAMIC;
        int both = second(index, 3);
        return new Member(isLinked ? "" : className(second(index, 1)), text(second(both, 1)), text(second(both, 3)));
    }

    private int second(int index, int offset) {
        return bytes.getShort(places[index] + offset) & 0xffff;
    }

    // Names of members have no characters that the class file writes otherwise than UTF-8 does, but for supplementary
    // ones: those are then found under no name, which is taken for code that is not known.
    private String text(int index) {
        int at = places[index];
        byte[] found = new byte[second(index, 1)];
        bytes.get(at + 3, found);
        return new String(found, StandardCharsets.UTF_8);
    }
}
