package dev.zarrreactive.testkit.codec;

import dev.zarrreactive.codec.BytesToBytesCodec;

/** The contract of one codec, for tests of the contract. */
final class ContractOfCodec extends BytesToBytesCodecContract {
  private final BytesToBytesCodec codec;

  ContractOfCodec(BytesToBytesCodec codec) {
    this.codec = codec;
  }

  @Override
  protected BytesToBytesCodec codec() {
    return codec;
  }
}
