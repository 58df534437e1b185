package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.EncryptedServer;
import dev.zarrreactive.testing.PrivateCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores behind a certificate that no authority has signed, and that want one of the client. */
class SslBundleTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final Bytes VALUE = Bytes.utf8(EncryptedServer.VALUE);
  private static PrivateCertificate certificate;
  private static EncryptedServer server;

  @BeforeAll
  static void start(@TempDir Path directory) {
    certificate = PrivateCertificate.in(directory);
    server = EncryptedServer.start(certificate, true);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Map<String, Object> properties() {
    Map<String, Object> all = new HashMap<>();
    all.put("zarr.location", server.uri().toString());
    all.put("zarr.store.retry", "false");
    all.put("zarr.stores.archive.location", server.uri().toString());
    all.put("zarr.stores.archive.ssl.bundle", "archive");
    for (String store : new String[] {"truststore", "keystore"}) {
      String place = "spring.ssl.bundle.jks.archive." + store;
      all.put(place + ".location", certificate.file().toUri().toString());
      all.put(place + ".password", PrivateCertificate.PASSWORD);
    }
    return all;
  }

  @Test
  void a_store_has_the_certificates_of_its_bundle_and_no_other_store_has_them() {
    try (var service = SliceService.start(properties())) {
      Store archive = service.getBean("archiveStore", Store.class);
      assertThat(archive.get(KEY).block(PATIENCE)).isEqualTo(VALUE);
      Store other = service.getBean("zarrStore", Store.class);
      assertThatThrownBy(() -> other.get(KEY).block(PATIENCE))
          .hasStackTraceContaining("unable to find valid certification path");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"az://container/a", "gs://bucket/a"})
  void a_store_of_a_cloud_has_them_too(String location) {
    Map<String, Object> all = properties();
    all.put("zarr.stores.archive.location", location);
    all.put("zarr.stores.archive.store.endpoint", server.uri().toString());
    all.put("zarr.stores.archive.store.retry", "false");
    if (location.startsWith("az:")) {
      all.put("zarr.stores.archive.store.account", "account");
    }
    try (var service = SliceService.start(all)) {
      Store archive = service.getBean("archiveStore", Store.class);
      assertThat(archive.get(KEY).block(PATIENCE)).isEqualTo(VALUE);
    }
  }

  @Test
  void the_store_without_a_name_has_a_bundle_too() {
    Map<String, Object> all = properties();
    all.put("zarr.ssl.bundle", "archive");
    try (var service = SliceService.start(all)) {
      Store store = service.getBean("zarrStore", Store.class);
      assertThat(store.get(KEY).block(PATIENCE)).isEqualTo(VALUE);
    }
  }

  @Test
  void a_bundle_that_chooses_protocols_is_refused() {
    Map<String, Object> all = properties();
    all.put("spring.ssl.bundle.jks.archive.options.enabled-protocols", "TLSv1.3");
    assertThatThrownBy(() -> SliceService.start(all))
        .hasStackTraceContaining("names ciphers or protocols");
  }
}
