package dev.zarrreactive.codec;

import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;

/** The codec that leaves out others where they do not help keeps the contract. */
class ConditionalContractTest extends BytesToBytesCodecContract {
  @Override
  protected BytesToBytesCodec codec() {
    return (BytesToBytesCodec)
        CodecRegistry.standard()
            .create(
                Json.extension(
                    "conditional",
                    "{'codecs': [{'name': 'zstd', 'configuration': {'level': 1}}, 'crc32c']}"));
  }
}
