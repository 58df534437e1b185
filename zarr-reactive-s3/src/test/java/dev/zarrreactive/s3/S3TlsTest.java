package dev.zarrreactive.s3;

import dev.zarrreactive.faults.TlsContract;
import dev.zarrreactive.store.StoreOptions;

/** A server behind a certificate of its own, for reads, and for writes by the SDK. */
class S3TlsTest extends TlsContract {
  S3TlsTest() {
    super(
        "s3://bucket",
        StoreOptions.none()
            .with("path-style", "true")
            .with("region", "us-east-1")
            .with("anonymous", "true"));
  }
}
