package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.TlsMaterial;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PrivateCertificate;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.URI;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Random;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.tcp.SslProvider;

/** Encrypted, over HTTP/1.1 and HTTP/2, with an unsigned certificate. */
@ExtendWith(NoLeaks.class)
class HttpTlsTest {
  private static final MemoryStore VALUES = MemoryStore.create();
  private static Bytes value;
  private static FaultyServer server;
  private static URI uri;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    byte[] random = new byte[300_000];
    new Random(1).nextBytes(random);
    value = Bytes.wrap(random);
    VALUES.set(KEY, value).block();
    KeyStore keys = PrivateCertificate.in(directory).keys();
    PrivateKey key =
        (PrivateKey)
            keys.getKey(PrivateCertificate.ALIAS, PrivateCertificate.PASSWORD.toCharArray());
    X509Certificate certificate = (X509Certificate) keys.getCertificate(PrivateCertificate.ALIAS);
    server =
        FaultyServer.of(
            VALUES,
            http ->
                http.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                    .secure(
                        spec ->
                            spec.sslContext(
                                (SslProvider.GenericSslContextSpec<?>)
                                    Http2SslContextSpec.forServer(key, certificate))));
    uri = URI.create("https://localhost:" + server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HttpStore trusting(boolean http2) {
    SslProvider.GenericSslContextSpec<?> client =
        http2
            ? Http2SslContextSpec.forClient()
                .configure(b -> b.trustManager(InsecureTrustManagerFactory.INSTANCE))
            : Http11SslContextSpec.forClient()
                .configure(b -> b.trustManager(InsecureTrustManagerFactory.INSTANCE));
    return HttpStore.at(uri).http2(http2).tls(spec -> spec.sslContext(client)).open();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void values_are_read_encrypted(boolean http2) {
    HttpStore store = trusting(http2);
    assertThat(await(store.get(KEY))).isEqualTo(value);
    await(store.close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void the_options_of_a_location_have_the_certificates(String http2) throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(null, null);
    StoreOptions options =
        StoreOptions.none()
            .with("http2", http2)
            .with(new TlsMaterial(own, InsecureTrustManagerFactory.INSTANCE));
    Store store = await(new HttpStoreProvider().open(uri, options));
    assertThat(await(store.get(KEY))).isEqualTo(value);
    await(store.close());
  }

  @Test
  void an_unsigned_certificate_is_a_lasting_error() {
    HttpStore store = HttpStore.open(uri);
    assertThat(errorOf(store.get(KEY))).isExactlyInstanceOf(StoreException.class);
    await(store.close());
  }

  @Test
  void a_redirect_to_a_server_without_encryption_is_refused() {
    HttpStore store = trusting(false);
    server.misbehave(Fault.redirect(302, "http://localhost/elsewhere"));
    assertThat(errorOf(store.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("not encrypted");
    server.misbehave(Fault.NONE);
    await(store.close());
  }

  @Test
  void a_request_without_tls_to_a_server_with_tls_ends_in_a_hint() {
    HttpStore plain = HttpStore.open(URI.create("http://localhost:" + server.port()));
    assertThat(errorOf(plain.get(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("if the server expects TLS, its URL begins with https:");
    await(plain.close());
  }
}
