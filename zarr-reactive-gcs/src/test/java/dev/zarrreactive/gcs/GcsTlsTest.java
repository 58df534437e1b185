package dev.zarrreactive.gcs;

import dev.zarrreactive.faults.TlsContract;
import dev.zarrreactive.store.StoreOptions;

/** A server behind a certificate of its own. */
class GcsTlsTest extends TlsContract {
  GcsTlsTest() {
    super("gs://bucket", StoreOptions.none().with("anonymous", "true"));
  }
}
