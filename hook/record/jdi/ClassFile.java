package clausefit.record;

import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A class file (JVMS 4.1), as far as it takes to compare it with a loaded class. */
final class ClassFile {
    private static final int MAGIC = 0xcafebabe;
    private final ByteBuffer bytes;
    private final byte[] pool;
    private final List<byte[]> codes = new ArrayList<>();

    private ClassFile(byte[] content) {
        bytes = ByteBuffer.wrap(content);
        if (bytes.getInt() != MAGIC) {
            throw new IllegalArgumentException("no class file");
        }
        bytes.getInt();
        int count = bytes.getShort() & 0xffff;
        int from = bytes.position();
        List<Integer> codeNames = new ArrayList<>();
        for (int i = 1; i < count; i++) {
            int tag = bytes.get();
            if (tag == 1) {
                byte[] text = new byte[bytes.getShort() & 0xffff];
                bytes.get(text);
                if (Arrays.equals(text, new byte[] {'C', 'o', 'd', 'e'})) {
                    codeNames.add(i);
                }
            } else {
                skip(Pool.length(tag) - 1);
                i += tag == 5 || tag == 6 ? 1 : 0;
            }
        }
        pool = Arrays.copyOfRange(content, from, bytes.position());
        skip(6);
        skip(2 * (bytes.getShort() & 0xffff));
        members(List.of());
        members(codeNames);
    }

    /** Whether a loaded class has the constants and the code of a class file. */
    static boolean isLoadedAs(byte[] content, ReferenceType type) {
        try {
            ClassFile file = new ClassFile(content);
            List<byte[]> loaded = new ArrayList<>();
            for (Method method : type.methods()) {
                if (!method.isAbstract() && !method.isNative()) {
                    loaded.add(method.bytecodes());
                }
            }
            return Arrays.equals(file.pool, type.constantPool()) && sorted(file.codes).equals(sorted(loaded));
        } catch (BufferUnderflowException | IllegalArgumentException notOne) {
            return false;
        }
    }

    private static List<String> sorted(List<byte[]> codes) {
        return codes.stream().map(java.util.HexFormat.of()::formatHex).sorted().toList();
    }

    private void members(List<Integer> codeNames) {
        int count = bytes.getShort() & 0xffff;
        for (int i = 0; i < count; i++) {
            skip(6);
            int attributes = bytes.getShort() & 0xffff;
            for (int k = 0; k < attributes; k++) {
                boolean isCode = codeNames.contains(bytes.getShort() & 0xffff);
                int end = bytes.getInt() + bytes.position();
                if (isCode) {
                    skip(4);
                    byte[] code = new byte[bytes.getInt()];
                    bytes.get(code);
                    codes.add(code);
                }
                bytes.position(end);
            }
        }
    }

    private void skip(int count) {
        bytes.position(bytes.position() + count);
    }
}
