"""Constants of the standard headers that contracts use, on x86_64 Linux."""

from __future__ import annotations

# The limits of <limits.h> and <stdint.h> on x86_64 Linux, and what <stdbool.h> and <stddef.h> define.
LIMITS = {
    **{f"{name}_MAX": (1 << (width - 1)) - 1 for name, width in (("SCHAR", 8), ("CHAR", 8), ("SHRT", 16), ("INT", 32))},
    **{f"{name}_MIN": -(1 << (width - 1)) for name, width in (("SCHAR", 8), ("CHAR", 8), ("SHRT", 16), ("INT", 32))},
    **{f"{name}_MAX": (1 << 63) - 1 for name in ("LONG", "LLONG", "SSIZE", "PTRDIFF", "INTPTR", "INTMAX")},
    **{f"{name}_MIN": -(1 << 63) for name in ("LONG", "LLONG", "PTRDIFF", "INTPTR", "INTMAX")},
    **{f"{name}_MAX": (1 << 64) - 1 for name in ("ULONG", "ULLONG", "SIZE", "UINTPTR", "UINTMAX")},
    **{f"INT{width}_MAX": (1 << (width - 1)) - 1 for width in (8, 16, 32, 64)},
    **{f"INT{width}_MIN": -(1 << (width - 1)) for width in (8, 16, 32, 64)},
    **{f"UINT{width}_MAX": (1 << width) - 1 for width in (8, 16, 32, 64)},
    "UCHAR_MAX": 255,
    "USHRT_MAX": 65535,
    "UINT_MAX": (1 << 32) - 1,
    "CHAR_BIT": 8,
    "true": 1,
    "false": 0,
}
