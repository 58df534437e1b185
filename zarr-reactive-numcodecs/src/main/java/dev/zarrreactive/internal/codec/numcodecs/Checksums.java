package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.codec.Checksum;
import dev.zarrreactive.json.LocatedJson;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** The codecs that store a checksum with the data, and their options. */
final class Checksums {
  private Checksums() {}

  static BytesToBytesCodec crc32(NamedConfiguration use) {
    return located(use, Checksum.jdk(CRC32::new), true);
  }

  static BytesToBytesCodec crc32c(NamedConfiguration use) {
    return isFirst(use, false)
        ? Checksum.jdk(CRC32C::new).codec(use, true)
        : RenamedCodec.crc32c(use);
  }

  static BytesToBytesCodec adler32(NamedConfiguration use) {
    return located(use, Checksum.jdk(Adler32::new), true);
  }

  private static BytesToBytesCodec located(
      NamedConfiguration use, Checksum checksum, boolean first) {
    return checksum.codec(use, isFirst(use, first));
  }

  private static boolean isFirst(NamedConfiguration use, boolean otherwise) {
    use.configuration().allowOnly("location");
    LocatedJson location = OptionalMembers.optional(use, "location");
    return location == null ? otherwise : location.oneOf("start", "end").equals("start");
  }

  static BytesToBytesCodec fletcher32(NamedConfiguration use) {
    use.configuration().allowOnly();
    Checksum fletcher32 = Fletcher32::of;
    return fletcher32.codec(use, false);
  }

  static BytesToBytesCodec lookup3(NamedConfiguration use) {
    use.configuration().allowOnly("initval", "prefix");
    LocatedJson prefix = OptionalMembers.optional(use, "prefix");
    if (prefix != null) {
      throw prefix.error("a prefix is not supported: its form in metadata is not defined");
    }
    LocatedJson start = OptionalMembers.optional(use, "initval");
    int initial = start == null ? 0 : (int) start.integer(0L, 0xffff_ffffL);
    Checksum lookup3 = bytes -> JenkinsLookup3.of(bytes, initial);
    return lookup3.codec(use, false);
  }
}
