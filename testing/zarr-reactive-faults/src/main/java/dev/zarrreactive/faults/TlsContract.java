package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testing.EncryptedServer;
import dev.zarrreactive.testing.PrivateCertificate;
import dev.zarrreactive.testing.Waiting;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a store of a service behind a certificate of its own: the options of the location have it,
 * and what is to be shown. Extend this class in the tests of a store over a network.
 */
public abstract class TlsContract {
  private static final StoreKey KEY = StoreKey.of("a/c/0");

  @TempDir Path directory;

  private final String location;
  private final StoreOptions options;

  /**
   * Tests a store.
   *
   * @param location of the store, such as {@code s3://bucket}
   * @param options that it needs beside its endpoint
   */
  protected TlsContract(String location, StoreOptions options) {
    this.location = location;
    this.options = options;
  }

  private StoreOptions options(EncryptedServer server) {
    return options.with("endpoint", server.uri().toString()).with("retry", "false");
  }

  private Store open(StoreOptions options) {
    return Objects.requireNonNull(Waiting.await(Stores.open(location, options)));
  }

  @Test
  void every_request_has_the_certificates_of_the_options() {
    PrivateCertificate certificate = PrivateCertificate.in(directory);
    try (EncryptedServer server = EncryptedServer.start(certificate, true)) {
      TlsMaterial material = new TlsMaterial(certificate.own(), certificate.trusted());
      Store store = open(options(server).with(material));
      assertThat(Waiting.await(store.get(KEY))).isEqualTo(Bytes.utf8(EncryptedServer.VALUE));
      Waiting.await(store.set(KEY, Bytes.utf8("other")));
      Waiting.await(store.erase(KEY));
      assertThat(server.methods()).contains("GET", "PUT", "DELETE");
      Waiting.await(store.close());
    }
  }

  @Test
  void a_certificate_that_nobody_has_signed_is_refused_without_them() {
    PrivateCertificate certificate = PrivateCertificate.in(directory);
    try (EncryptedServer server = EncryptedServer.start(certificate, false)) {
      Store store = open(options(server));
      assertThat(Waiting.errorOf(store.get(KEY)))
          .hasStackTraceContaining("unable to find valid certification path");
      assertThat(Waiting.errorOf(store.set(KEY, Bytes.utf8("other")))).isNotNull();
      assertThat(server.methods()).isEmpty();
      Waiting.await(store.close());
    }
  }
}
