package dev.zarrreactive.libdeflate;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.List;

/** The functions of libdeflate, with their names in C. JNA links them. */
final class Libdeflate {
  /** The names of the library: of Linux without the files for compilers, of all, of Windows. */
  static final List<String> NAMES = List.of("libdeflate.so.0", "deflate", "libdeflate");

  /** The result of a call that has decompressed the whole stream. */
  static final int SUCCESS = 0;

  private Libdeflate() {}

  /**
   * Links the first library with one of these names.
   *
   * @throws UnsatisfiedLinkError if the machine lacks the library or a function of it
   */
  static void link(List<String> names) {
    if (Native.SIZE_T_SIZE != Long.BYTES) {
      throw new UnsatisfiedLinkError("the machine has no 64 bits");
    }
    Native.register(Libdeflate.class, find(names));
  }

  private static NativeLibrary find(List<String> names) {
    UnsatisfiedLinkError missing =
        new UnsatisfiedLinkError("no native library has one of the names " + names);
    for (String name : names) {
      try {
        return NativeLibrary.getInstance(name);
      } catch (UnsatisfiedLinkError e) {
        missing.addSuppressed(e);
      }
    }
    throw missing;
  }

  /** Returns a decompressor for one thread at a time, or null without memory. */
  static native Pointer libdeflate_alloc_decompressor();

  static native void libdeflate_free_decompressor(Pointer decompressor);

  /** Decompresses a stream of DEFLATE; writes the bytes consumed and written as {@code size_t}. */
  static native int libdeflate_deflate_decompress_ex(
      Pointer decompressor,
      Pointer in,
      long inLength,
      Pointer out,
      long outLength,
      Pointer consumed,
      Pointer written);
}
