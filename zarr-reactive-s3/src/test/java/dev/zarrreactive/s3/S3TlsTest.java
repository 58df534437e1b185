package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testing.EncryptedServer;
import dev.zarrreactive.testing.PrivateCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server behind a certificate of its own, for reads, and for writes by the SDK. */
class S3TlsTest {
  private static final StoreKey KEY = StoreKey.of("a/c/0");

  @TempDir Path directory;

  private static StoreOptions options(EncryptedServer server) {
    return StoreOptions.none()
        .with("endpoint", server.uri().toString())
        .with("path-style", "true")
        .with("region", "us-east-1")
        .with("anonymous", "true")
        .with("retry", "false");
  }

  @Test
  void every_request_has_the_certificates_of_the_options() {
    PrivateCertificate certificate = PrivateCertificate.in(directory);
    try (EncryptedServer server = EncryptedServer.start(certificate, true)) {
      TlsMaterial material = new TlsMaterial(certificate.own(), certificate.trusted());
      Store store = await(Stores.open("s3://bucket", options(server).with(material)));
      assertThat(await(store.get(KEY))).isEqualTo(Bytes.utf8(EncryptedServer.VALUE));
      await(store.set(KEY, Bytes.utf8("other")));
      await(store.erase(KEY));
      assertThat(server.methods()).contains("GET", "PUT", "DELETE");
      await(store.close());
    }
  }

  @Test
  void a_certificate_that_nobody_has_signed_is_refused_without_them() {
    PrivateCertificate certificate = PrivateCertificate.in(directory);
    try (EncryptedServer server = EncryptedServer.start(certificate, false)) {
      Store store = await(Stores.open("s3://bucket", options(server)));
      assertThat(errorOf(store.get(KEY)))
          .hasStackTraceContaining("unable to find valid certification path");
      assertThat(errorOf(store.set(KEY, Bytes.utf8("other")))).isNotNull();
      assertThat(server.methods()).isEmpty();
      await(store.close());
    }
  }
}
