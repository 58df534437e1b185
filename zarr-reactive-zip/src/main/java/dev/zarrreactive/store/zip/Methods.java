package dev.zarrreactive.store.zip;

import static java.util.Map.entry;

import java.util.Map;

/** The names of compression methods (APPNOTE 4.4.5). */
final class Methods {
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          entry(1, "Shrink"),
          entry(2, "Reduce"),
          entry(3, "Reduce"),
          entry(4, "Reduce"),
          entry(5, "Reduce"),
          entry(6, "Implode"),
          entry(9, "Deflate64"),
          entry(10, "PKWARE DCL Implode"),
          entry(12, "bzip2"),
          entry(14, "LZMA"),
          entry(16, "CMPSC"),
          entry(18, "TERSE"),
          entry(19, "LZ77"),
          entry(20, "Zstandard"),
          entry(93, "Zstandard"),
          entry(94, "MP3"),
          entry(95, "xz"),
          entry(96, "JPEG"),
          entry(97, "WavPack"),
          entry(98, "PPMd"),
          entry(99, "AES"));

  private Methods() {}

  static String name(int method) {
    String name = NAMES.get(method);
    return name == null ? "the unknown method " + method : name + " (method " + method + ")";
  }
}
