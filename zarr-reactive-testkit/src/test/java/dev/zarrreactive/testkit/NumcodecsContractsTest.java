package dev.zarrreactive.testkit;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.store.Bytes;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Every codec of numcodecs keeps the contract. */
class NumcodecsContractsTest {

  static NamedConfiguration use(String name, String configuration) {
    String json = "{'name': '" + name + "', 'configuration': " + configuration + "}";
    return NamedConfiguration.parse(
        JsonDocument.parse(Bytes.utf8(json.replace('\'', '"')).asByteBuffer(), Location.UNKNOWN));
  }

  abstract static class BytesContract extends BytesToBytesCodecContract {
    private final String configuration;

    BytesContract(String configuration) {
      this.configuration = configuration;
    }

    @Override
    protected BytesToBytesCodec codec() {
      String name = getClass().getAnnotation(Tag.class).value();
      return (BytesToBytesCodec) CodecRegistry.standard().create(use(name, configuration));
    }
  }

  @Nested
  @Tag("numcodecs.gzip")
  class Gzip extends BytesContract {
    Gzip() {
      super("{'level': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.zstd")
  class Zstd extends BytesContract {
    Zstd() {
      super("{'level': 3}");
    }
  }

  @Nested
  @Tag("numcodecs.blosc")
  class Blosc extends BytesContract {
    Blosc() {
      super("{'cname': 'zstd', 'clevel': 3, 'shuffle': -1, 'blocksize': 0, 'typesize': 4}");
    }
  }

  @Nested
  @Tag("numcodecs.zlib")
  class Zlib extends BytesContract {
    Zlib() {
      super("{'level': 6}");
    }
  }

  @Nested
  @Tag("numcodecs.lz4")
  class Lz4 extends BytesContract {
    Lz4() {
      super("{'acceleration': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.bz2")
  class Bz2 extends BytesContract {
    Bz2() {
      super("{'level': 1}");
    }

    /** The library's tables for a block; a damaged header may ask for the largest. */
    @Override
    protected long scratch() {
      return 6 << 20;
    }
  }

  @Nested
  @Tag("numcodecs.shuffle")
  class Shuffle extends BytesContract {
    Shuffle() {
      super("{'elementsize': 4}");
    }

    @Override
    protected List<Bytes> samples() {
      return super.samples().stream().map(bytes -> bytes.slice(0, bytes.size() / 4 * 4)).toList();
    }
  }

  @Nested
  @Tag("numcodecs.crc32")
  class Crc32 extends BytesContract {
    Crc32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.crc32c")
  class Crc32c extends BytesContract {
    Crc32c() {
      super("{'location': 'start'}");
    }
  }

  @Nested
  @Tag("numcodecs.adler32")
  class Adler32 extends BytesContract {
    Adler32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.fletcher32")
  class Fletcher32 extends BytesContract {
    Fletcher32() {
      super("{}");
    }
  }

  @Nested
  @Tag("numcodecs.jenkins_lookup3")
  class Lookup3 extends BytesContract {
    Lookup3() {
      super("{'initval': 7, 'prefix': null}");
    }
  }

  /** A damaged header may ask for as many tables as the format has. */
  abstract static class LzmaContract extends BytesContract {
    LzmaContract(String configuration) {
      super(configuration);
    }

    @Override
    protected long scratch() {
      return 8 << 20;
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaXz extends LzmaContract {
    LzmaXz() {
      super("{'format': 1, 'check': -1, 'preset': 0, 'filters': null}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaXzDelta extends LzmaContract {
    LzmaXzDelta() {
      super("{'check': 10, 'filters': [{'id': 3, 'dist': 4}, {'id': 33, 'preset': 1}]}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaAlone extends LzmaContract {
    LzmaAlone() {
      super("{'format': 2, 'check': -1, 'preset': 1}");
    }
  }

  @Nested
  @Tag("numcodecs.lzma")
  class LzmaRaw extends LzmaContract {
    LzmaRaw() {
      super("{'format': 3, 'filters': [{'id': 3, 'dist': 2}, {'id': 33, 'preset': 0}]}");
    }
  }
}
