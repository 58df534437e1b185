package dev.zarrreactive.azure;

import dev.zarrreactive.faults.TlsContract;
import dev.zarrreactive.store.StoreOptions;

/** A server behind a certificate of its own. */
class AzureTlsTest extends TlsContract {
  AzureTlsTest() {
    super("az://container", StoreOptions.none().with("account", "account"));
  }
}
