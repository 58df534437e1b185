package dev.zarrreactive.http;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualContainers.ResolvedLocation;
import dev.zarrreactive.virtual.VirtualLocation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** URLs of virtual chunks whose query is a signature. */
class SignedLocationsTest {
  private static final String SECRET = "9f2SECRET81";

  /** Escapes, slashes, dots and double colons of a query mean nothing here. */
  private static final String QUERY =
      "X-Amz-Date=2026%2F11%2f26&a=b//c/../d&sig=" + SECRET + "%3D%3D&x::y=a+b;c&z=";

  private final MemoryStore values = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(values);
  private VirtualContainers containers;

  @BeforeEach
  void an_object() {
    values.set(StoreKey.of("d/a b.nc"), Bytes.utf8("0123456789")).block();
    values.set(StoreKey.of("d/e/b.nc"), Bytes.utf8("abcdefghij")).block();
    containers =
        VirtualContainers.builder()
            .allow(server.uri() + "/d/", StoreOptions.none().with("retry", "false"))
            .build();
  }

  @AfterEach
  void close() {
    await(containers.close());
    server.close();
  }

  private VirtualLocation location(String path, String query) {
    return VirtualLocation.of(server.uri() + path + query, 2, 4);
  }

  private Mono<Bytes> read(VirtualLocation location) {
    return containers
        .resolve(location)
        .flatMap(found -> found.object().store().get(found.object().key(), found.range()));
  }

  private List<String> asked() {
    List<String> uris = server.requests().stream().map(ReceivedRequest::uri).toList();
    server.forget();
    return uris;
  }

  @Test
  void the_query_is_sent_as_it_is_written() {
    assertThat(await(read(location("/d/a%20b.nc", "?" + QUERY)))).isEqualTo(Bytes.utf8("2345"));
    assertThat(asked()).containsExactly("/d/a%20b.nc?" + QUERY);
    assertThat(await(read(location("/d/e/b.nc", "?other=1#part")))).isEqualTo(Bytes.utf8("cdef"));
    assertThat(asked()).containsExactly("/d/e/b.nc?other=1");
    assertThat(await(read(location("/d/e/b.nc", "?")))).isEqualTo(Bytes.utf8("cdef"));
    assertThat(asked()).containsExactly("/d/e/b.nc");
    assertThat(await(read(location("/d/e/b.nc", "?a b|\"é")))).isEqualTo(Bytes.utf8("cdef"));
    assertThat(asked()).containsExactly("/d/e/b.nc?a%20b%7C%22%C3%A9");
  }

  @Test
  void parts_of_one_signed_url_are_parts_of_one_object() {
    ResolvedLocation one = await(containers.resolve(location("/d/a%20b.nc", "?" + QUERY)));
    ResolvedLocation again = await(containers.resolve(location("/d/a%20b.nc", "?" + QUERY)));
    ResolvedLocation other = await(containers.resolve(location("/d/a%20b.nc", "?other")));
    ResolvedLocation none = await(containers.resolve(location("/d/a%20b.nc", "")));
    assertThat(one.object()).isEqualTo(again.object()).isNotEqualTo(other.object());
    assertThat(none.object()).isNotEqualTo(one.object()).isNotEqualTo(other.object());
  }

  @Test
  void a_query_allows_nothing() {
    String prefix = server.uri() + "/d/";
    for (String url :
        List.of(
            server.uri() + "/e.nc?" + QUERY,
            server.uri() + "/e.nc?" + prefix,
            server.uri() + "/?x=/d/" + SECRET)) {
      assertThat(errorOf(read(VirtualLocation.of(url, 2, 4))))
          .isInstanceOf(AccessDeniedException.class)
          .satisfies(SignedLocationsTest::hasNoSecret);
    }
    assertThat(asked()).isEmpty();
  }

  @Test
  void no_error_and_no_text_has_the_query() {
    VirtualLocation location = location("/d/a%20b.nc", "?" + QUERY);
    ResolvedLocation found = await(containers.resolve(location));
    for (Object each :
        List.of(location, found, found.object(), found.object().store(), containers)) {
      assertThat(each.toString()).doesNotContain(SECRET);
    }
    for (Fault fault :
        List.of(
            Fault.status(403, null),
            Fault.status(500, null),
            Fault.redirect(302, "/other?sig=" + SECRET),
            Fault.reset())) {
      server.misbehave(fault);
      assertThat(errorOf(read(location)))
          .isInstanceOf(StoreException.class)
          .satisfies(SignedLocationsTest::hasNoSecret);
    }
    server.misbehave(Fault.delay(Duration.ZERO));
    VirtualLocation beyond = VirtualLocation.of(location.url(), 8, 4);
    assertThat(errorOf(read(beyond))).satisfies(SignedLocationsTest::hasNoSecret);
    VirtualLocation odd = location("/d/x//y.nc", "?" + QUERY);
    assertThat(errorOf(read(odd))).satisfies(SignedLocationsTest::hasNoSecret);
  }

  private static void hasNoSecret(Throwable error) {
    StringWriter all = new StringWriter();
    error.printStackTrace(new PrintWriter(all));
    assertThat(all.toString()).doesNotContain(SECRET);
  }

  @Test
  void stores_of_many_signatures_share_their_connections() {
    int before = HttpStoreBuilder.sharedServers();
    assertThat(
            await(
                Flux.range(0, 500)
                    .concatMap(i -> read(location("/d/e/b.nc", "?sig=" + i)))
                    .distinct()
                    .collectList()))
        .containsExactly(Bytes.utf8("cdef"));
    assertThat(asked()).hasSize(500).doesNotHaveDuplicates();
    assertThat(server.connections()).isLessThanOrEqualTo(2);
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(before + 1);
    await(containers.close());
    assertThat(HttpStoreBuilder.sharedServers()).isEqualTo(before);
  }

  @Test
  void the_number_of_signatures_is_bounded() {
    Throwable error =
        errorOf(
            Flux.range(0, 10_001)
                .concatMap(i -> containers.resolve(location("/d/e/b.nc", "?" + SECRET + i)))
                .then());
    assertThat(error)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("more than 10000 URLs below ")
        .satisfies(SignedLocationsTest::hasNoSecret);
    assertThat(asked()).isEmpty();
  }
}
