package clausefit.record;

import java.util.ArrayList;
import java.util.List;

/** Reads the bytecode of a method (JVMS 6.5): where it returns, and whether a loop leads back to its start. */
final class Code {
    // The length of each instruction by its opcode, 0 for those that say it themselves.
    private static final byte[] LENGTHS = new byte[256];
    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int IRETURN = 0xac;
    private static final int RETURN = 0xb1;
    private static final int WIDE = 0xc4;
    private static final int IINC = 0x84;

    static {
        java.util.Arrays.fill(LENGTHS, (byte) 1);
        set(2, 0x10, 0x12, 0x15, 0x16, 0x17, 0x18, 0x19, 0x36, 0x37, 0x38, 0x39, 0x3a, 0xa9, 0xbc);
        set(3, 0x11, 0x13, 0x14, IINC, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xbb, 0xbd, 0xc0, 0xc1, 0xc6, 0xc7);
        for (int jump = 0x99; jump <= 0xa8; jump++) {
            LENGTHS[jump] = 3;
        }
        set(4, 0xc5);
        set(5, 0xb9, 0xba, 0xc8, 0xc9);
        set(0, TABLESWITCH, LOOKUPSWITCH, WIDE);
    }

    private final byte[] code;
    private final List<Integer> returns = new ArrayList<>();
    private boolean loopsToStart;

    Code(byte[] code) {
        this.code = code;
        for (int at = 0; at < code.length; at += length(at)) {
            look(at);
        }
    }

    /** The places of its return instructions. */
    List<Integer> returns() {
        return returns;
    }

    /** Whether an instruction jumps to the first one, so that a stop there need not be the start of a call. */
    boolean loopsToStart() {
        return loopsToStart;
    }

    /** The place of the instruction behind the one at a place. */
    int next(int at) {
        return at + length(at);
    }

    private void look(int at) {
        int opcode = code[at] & 0xff;
        if (opcode >= IRETURN && opcode <= RETURN) {
            returns.add(at);
        } else if ((opcode >= 0x99 && opcode <= 0xa8) || opcode == 0xc6 || opcode == 0xc7) {
            loopsToStart |= at + (short) (((code[at + 1] & 0xff) << 8) | (code[at + 2] & 0xff)) == 0;
        } else if (opcode == 0xc8 || opcode == 0xc9) {
            loopsToStart |= at + word(at + 1) == 0;
        } else if (opcode == TABLESWITCH || opcode == LOOKUPSWITCH) {
            // A switch may lead back as well (a loop around it that begins at the start).
            int table = aligned(at);
            int step = opcode == TABLESWITCH ? 4 : 8;
            int first = opcode == TABLESWITCH ? table + 12 : table + 12;
            int end = at + length(at);
            loopsToStart |= at + word(table) == 0;
            for (int entry = first; entry + 4 <= end; entry += step) {
                loopsToStart |= at + word(entry) == 0;
            }
        }
    }

    private int length(int at) {
        int opcode = code[at] & 0xff;
        if (opcode == WIDE) {
            return (code[at + 1] & 0xff) == IINC ? 6 : 4;
        }
        int table = aligned(at);
        if (opcode == TABLESWITCH) {
            return table + 12 + 4 * (word(table + 8) - word(table + 4) + 1) - at;
        }
        if (opcode == LOOKUPSWITCH) {
            return table + 8 + 8 * word(table + 4) - at;
        }
        return LENGTHS[opcode];
    }

    private static int aligned(int at) {
        return (at + 4) & ~3;
    }

    private int word(int at) {
        return (code[at] & 0xff) << 24 | (code[at + 1] & 0xff) << 16 | (code[at + 2] & 0xff) << 8 | (code[at + 3] & 0xff);
    }

    private static void set(int length, int... opcodes) {
        for (int opcode : opcodes) {
            LENGTHS[opcode] = (byte) length;
        }
    }
}
