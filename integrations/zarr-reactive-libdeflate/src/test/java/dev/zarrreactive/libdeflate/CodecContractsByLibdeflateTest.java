package dev.zarrreactive.libdeflate;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;
import org.junit.jupiter.api.Nested;

/** The codecs that inflate keep the contract of codecs with libdeflate. */
@NeedsLibdeflate
class CodecContractsByLibdeflateTest {
  private static BytesToBytesCodec codec(String name) {
    return (BytesToBytesCodec)
        CodecRegistry.standard()
            .create(NamedConfiguration.of(name, JsonObject.EMPTY.with("level", 5)));
  }

  @Nested
  class Gzip extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
      return CodecContractsByLibdeflateTest.codec("gzip");
    }
  }

  @Nested
  class Zlib extends BytesToBytesCodecContract {
    @Override
    protected BytesToBytesCodec codec() {
      return CodecContractsByLibdeflateTest.codec("numcodecs.zlib");
    }
  }
}
