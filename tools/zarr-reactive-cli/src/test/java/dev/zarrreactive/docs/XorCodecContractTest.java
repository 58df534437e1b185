package dev.zarrreactive.docs;

import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.testkit.codec.BytesToBytesCodecContract;

// docs: codec-contract
class XorCodecContractTest extends BytesToBytesCodecContract {
  @Override
  protected BytesToBytesCodec codec() {
    return XorCodec.of(XorCodec.withKey(0x5a));
  }
}
// docs: end
