package dev.zarrreactive.server;

import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The versions of a store, over HTTP. */
class ServedVersionsTest {
  private final TestVersions versions = new TestVersions();

  private Serving serving() {
    return new Serving(
        null, plain -> ZarrServer.of(versions).port(0).path("/data").consolidated(true));
  }

  private static String text(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).as("%s", answer.uri()).isEqualTo(200);
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String caching(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("cache-control").orElse("-");
  }

  private static JsonObject document(HttpResponse<byte[]> answer) {
    return (JsonObject) JsonValue.parse(text(answer));
  }

  private static JsonObject first(JsonObject document, String list) {
    return (JsonObject) ((JsonArray) document.get(list)).elements().get(0);
  }

  private static String string(JsonObject object, String name) {
    return ((JsonString) object.get(name)).value();
  }

  @Test
  void each_version_has_a_path_that_any_client_can_read() {
    String first = versions.commit("main", "one");
    versions.tag("v 1", first);
    versions.commit("main", "two");
    versions.commit("dev", "three");
    try (Serving serving = serving()) {
      assertThat(text(serving.get("/a/c/0"))).isEqualTo("two");
      assertThat(text(serving.get("/__versions/branch.main/a/c/0"))).isEqualTo("two");
      assertThat(text(serving.get("/__versions/branch.dev/a/c/0"))).isEqualTo("three");
      assertThat(text(serving.get("/__versions/tag.v%201/a/c/0"))).isEqualTo("one");
      assertThat(text(serving.get("/__versions/" + first + "/a/c/0"))).isEqualTo("one");
      assertThat(text(serving.get("/__versions/tag.v%201/zarr.json")))
          .contains("consolidated_metadata");
      assertThat(text(serving.get("/__versions/tag.v%201/a/"))).contains("c/");
      assertThat(versions.opened()).as("once for all names").containsExactly("S1", "S2", "S0");
    }
  }

  @Test
  void clients_may_keep_values_of_a_snapshot_alone() {
    String id = versions.commit("main", "one");
    try (Serving serving = serving()) {
      HttpResponse<byte[]> kept = serving.get("/__versions/" + id + "/a/c/0");
      assertThat(caching(kept)).isEqualTo("private, max-age=31536000, immutable");
      String tag = kept.headers().firstValue("etag").orElseThrow();
      assertThat(serving.get("/__versions/branch.main/a/c/0", "If-None-Match", tag).statusCode())
          .isEqualTo(304);
      for (String path : new String[] {"/a/c/0", "/__versions/branch.main/a/c/0"}) {
        assertThat(caching(serving.get(path))).isEqualTo("no-cache");
      }
      assertThat(caching(serving.get("/__versions/" + id + "/zarr.json"))).isEqualTo("no-cache");
      HttpResponse<byte[]> missing = serving.get("/__versions/" + id + "/none");
      assertThat(missing.statusCode()).isEqualTo(404);
      assertThat(caching(missing)).isEqualTo("no-store");
    }
  }

  @Test
  void a_branch_follows_its_commits_and_many_requests_ask_for_them_once() {
    String first = versions.commit("main", "one");
    try (Serving serving = serving()) {
      long begun = System.nanoTime();
      int asked = 0;
      do {
        assertThat(text(serving.get("/a/c/0"))).isEqualTo("one");
        asked++;
      } while (asked < 20);
      long seconds = (System.nanoTime() - begun) / 1_000_000_000;
      assertThat(versions.refreshes()).isBetween(1, (int) seconds + 2);
      versions.commit("main", "two");
      eventually("the second commit", () -> text(serving.get("/a/c/0")).equals("two"));
      assertThat(text(serving.get("/__versions/" + first + "/a/c/0"))).isEqualTo("one");
    }
  }

  @Test
  void the_store_that_was_used_least_recently_is_forgotten() {
    for (int i = 0; i <= ServedVersions.OPENED; i++) {
      versions.commit("main", "value " + i);
    }
    try (Serving serving = serving()) {
      for (int i = 0; i < ServedVersions.OPENED; i++) {
        text(serving.get("/__versions/S" + i + "/a/c/0"));
      }
      text(serving.get("/__versions/S0/a/c/0"));
      text(serving.get("/__versions/S" + ServedVersions.OPENED + "/a/c/0"));
      text(serving.get("/__versions/S0/a/c/0"));
      assertThat(versions.opened()).doesNotHaveDuplicates();
      assertThat(text(serving.get("/__versions/S1/a/c/0"))).isEqualTo("value 1");
      assertThat(versions.opened()).filteredOn("S1"::equals).hasSize(2);
    }
  }

  @Test
  void programs_find_branches_tags_and_history_with_links() {
    versions.tag("v/1", versions.commit("main", "one"));
    versions.commit("main", "two");
    try (Serving serving = serving()) {
      for (String place :
          new String[] {"/api/versions.json", "/__versions/", "/__versions/S1/api/versions.json"}) {
        JsonObject document = document(serving.get(place));
        JsonObject now = first(document, "history");
        assertThat(string(now, "id")).isEqualTo("S1");
        assertThat(string(now, "parent")).isEqualTo("S0");
        assertThat(string(now, "time")).isEqualTo("2026-01-01T00:00:01Z");
        assertThat(string(now, "message")).isEqualTo("<b>two</b>");
        assertThat(((JsonArray) document.get("history")).elements()).hasSize(2);
        URI at = URI.create("/data" + place);
        assertThat(at.resolve(string(now, "href"))).hasToString("/data/__versions/S1/");
        assertThat(at.resolve(string(first(document, "branches"), "href")))
            .hasToString("/data/__versions/branch.main/");
        assertThat(at.resolve(string(first(document, "tags"), "href")))
            .as("a slash is in no segment")
            .hasToString("/data/__versions/S0/");
      }
      String part = text(serving.get("/__versions/S1/api/versions.json?history=1"));
      assertThat(part)
          .contains("\"version\":\"S1\"", "\"is_complete\":false")
          .doesNotContain("one");
      assertThat(serving.get("/__versions/?history=0").statusCode()).isEqualTo(400);
      assertThat(serving.get("/__versions/?other=1").statusCode()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/__versions", "/__versions/branch.none/a/c/0", "/__versions/tag.none/api/",
        "/__versions/S9/zarr.json", "/__versions/S9/api/versions.json", "/__versions/branch.main"
      })
  void a_version_that_is_not_there_is_404(String path) {
    versions.commit("main", "one");
    try (Serving serving = serving()) {
      assertThat(serving.get(path).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void the_page_of_a_store_with_versions_alone_asks_for_them() {
    versions.commit("main", "one");
    try (Serving serving = serving();
        Serving plain = new Serving()) {
      assertThat(text(serving.get("/api/"))).contains("src=\"versions.js\"");
      assertThat(text(serving.get("/__versions/branch.main/api/"))).contains("\"versions.js\"");
      assertThat(text(plain.get("/api/"))).doesNotContain("versions.js");
      assertThat(plain.get("/api/versions.json").statusCode()).isEqualTo(404);
      assertThat(plain.get("/__versions/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_server_of_values_alone_serves_versions_too() {
    versions.commit("main", "one");
    try (Serving serving = new Serving(null, plain -> ZarrServer.of(versions).port(0).api(false))) {
      assertThat(text(serving.get("/__versions/branch.main/a/c/0"))).isEqualTo("one");
      assertThat(serving.get("/api/versions.json").statusCode()).isEqualTo(404);
    }
  }

  private static final int ROWS = 32;
  private static final int ROW = 1 << 20;

  /** A hierarchy with an array of one value, in chunks of a row. */
  private static Store rows(int value) {
    Store store = MemoryStore.create();
    byte[] all = new byte[ROWS * ROW];
    Arrays.fill(all, (byte) value);
    NdArray data = NdArray.ofBytes(DataTypes.UINT8, Shape.of(ROWS, ROW), all);
    Zarr.hierarchy(store)
        .createArray(
            "rows",
            ArrayMetadata.v3(data.shape(), DataTypes.UINT8)
                .chunkShape(1, ROW)
                .codecs(Codecs.bytes())
                .build())
        .flatMap(array -> array.write("...", data))
        .block();
    return store;
  }

  @Test
  void a_slice_that_has_begun_stays_in_its_snapshot_while_commits_come() throws Exception {
    versions.commit("main", "1", rows(1));
    try (Serving serving = new Serving(null, plain -> ZarrServer.of(versions).port(0));
        RawConnection slow = new RawConnection(serving.server.port())) {
      assertThat(slow.get("/api/rows/slice?format=raw")).contains("200");
      slow.read(ROW);
      for (int value = 2; value < 5; value++) {
        versions.commit("main", "" + value, rows(value));
        assertThat(serving.get("/api/rows/slice?format=raw&select=0,0").body())
            .as("a slice of the next commit, at once")
            .containsExactly(value);
        slow.read(2 * ROW);
      }
      slow.read(Long.MAX_VALUE);
      byte[] all = new byte[ROWS * ROW];
      Arrays.fill(all, (byte) 1);
      CRC32 expected = new CRC32();
      expected.update(all);
      assertThat(slow.received()).isEqualTo(all.length);
      assertThat(slow.checksum()).isEqualTo(expected.getValue());
    }
  }

  @Test
  void slices_and_documents_of_nodes_have_the_snapshot_as_their_etag() {
    versions.commit("main", "1", rows(1));
    try (Serving serving = new Serving(null, plain -> ZarrServer.of(versions).port(0))) {
      for (String path :
          new String[] {
            "/api/rows/slice?select=0,0:4", "/api/rows/metadata", "/api/tree", "/api/rows/chunks"
          }) {
        HttpResponse<byte[]> answer = serving.get(path);
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        String tag = answer.headers().firstValue("etag").orElseThrow();
        assertThat(tag).isEqualTo("\"S0\"");
        HttpResponse<byte[]> same = serving.get(path, "If-None-Match", tag);
        assertThat(same.statusCode()).as(path).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(same.headers().firstValue("etag")).contains(tag);
      }
      assertThat(serving.get("/api/none/slice").headers().firstValue("etag")).isEmpty();
      assertThat(serving.get("/api/").headers().firstValue("etag")).isNotEqualTo("\"S0\"");
      versions.commit("main", "2", rows(2));
      assertThat(serving.get("/api/rows/metadata", "If-None-Match", "\"S0\"").statusCode())
          .isEqualTo(200);
    }
  }
}
