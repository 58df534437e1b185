package dev.zarrreactive.kerchunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in a file of references, and what is refused of it, with its place. */
class ReferenceJsonTest {
  private static final StoreKey FILE = StoreKey.of("deep/refs.json");

  private final MemoryStore place = MemoryStore.create();
  private final InstrumentedStore data = InstrumentedStore.of(MemoryStore.create());
  private final VirtualContainers containers =
      VirtualContainers.builder().allow("s3://archive/", data).build();

  private static Bytes json(String text) {
    return Bytes.utf8(text.replace('\'', '"'));
  }

  private Store open(String text) {
    return open(text, KerchunkOptions.defaults());
  }

  private Store open(String text, KerchunkOptions options) {
    Waiting.await(place.set(FILE, json(text)));
    return Objects.requireNonNull(Waiting.await(Kerchunk.open(place, FILE, containers, options)));
  }

  private static String read(Store store, String key) {
    return new String(
        Objects.requireNonNull(Waiting.await(store.get(StoreKey.of(key)))).toByteArray(),
        StandardCharsets.UTF_8);
  }

  private void put(String key, String text) {
    Waiting.await(data.set(StoreKey.of(key), Bytes.utf8(text)));
    data.counts().reset();
  }

  @Test
  void values_stand_in_the_references_or_elsewhere() {
    put("a.bin", "0123456789");
    Store store =
        open(
            "{'a': 'text', 'b': 'base64:AQID', 'c': {'x': [NaN, 1.50]}, 'd/0':"
                + " ['s3://archive/a.bin', 3, 4], 'e': ['s3://archive/a.bin'], 'f':"
                + " ['s3://archive/none', 5, 0], 'ü/0': 'é'}");
    assertThat(read(store, "a")).isEqualTo("text");
    assertThat(Waiting.await(store.get(StoreKey.of("b"))))
        .isEqualTo(Bytes.wrap(new byte[] {1, 2, 3}));
    assertThat(read(store, "c")).isEqualTo("{\"x\":[NaN,1.50]}");
    assertThat(read(store, "f")).isEmpty();
    assertThat(read(store, "ü/0")).isEqualTo("é");
    assertThat(data.counts().total()).isZero();
    assertThat(read(store, "d/0")).isEqualTo("3456");
    assertThat(read(store, "e")).isEqualTo("0123456789");
    assertThat(Waiting.await(store.get(StoreKey.of("d/0"), new ByteRange.Suffix(3))))
        .isEqualTo(Bytes.utf8("456"));
    assertThat(Waiting.await(store.get(StoreKey.of("d/1")))).isNull();
    assertThat(Waiting.await(store.listDir(StorePrefix.ROOT)).stream().map(e -> e.name()))
        .containsExactly("a", "b", "c", "d", "e", "f", "ü");
    assertThat(data.counts().total()).isEqualTo(3);
    assertThat(store).hasToString("Kerchunk[deep/refs.json in " + place + "]");
  }

  @Test
  void the_places_of_many_values_are_told_at_once() {
    Store store =
        open(
            "{'a/0': ['s3://archive/a.bin', 3, 4], 'a/1': ['s3://archive/a.bin', 7, 2], 'a/2': 'x',"
                + " 'a/3': ['s3://archive/a.bin'], 'a/4': ['x::y', 1, 2], 'a/5': ['s3://b/c', 1, 2]}");
    List<StoreKey> keys =
        Stream.of("a/1", "a/9", "a/0", "a/2", "a/3", "a/4", "a/5").map(StoreKey::of).toList();
    List<Optional<ValuePlace>> places =
        Objects.requireNonNull(Waiting.await(((LocatedValues) store).places(keys)));
    assertThat(places.stream().map(place -> place.map(ValuePlace::range).orElse(null)))
        .containsExactly(
            new ByteRange.Slice(7, 2), null, new ByteRange.Slice(3, 4), null, null, null, null);
    assertThat(places.get(0).orElseThrow().object())
        .isEqualTo(places.get(2).orElseThrow().object());
    assertThat(data.counts().total()).isZero();
  }

  @Test
  void nothing_can_be_written() {
    Store store = open("{'a': 'text'}");
    assertThat(Waiting.errorOf(store.set(StoreKey.of("a"), Bytes.EMPTY)))
        .isInstanceOf(StoreCapabilityException.class);
    assertThat(Waiting.errorOf(store.erase(StoreKey.of("a"))))
        .isInstanceOf(StoreCapabilityException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "http://host/a.bin",
    "s3://other/a.bin",
    "s3://archive2/a.bin",
    "/etc/passwd",
    "file:///etc/passwd",
    "gs://archive/a.bin",
    "s3://archive/../other/a.bin",
  })
  void a_place_that_is_not_allowed_is_refused_without_a_request(String url) {
    Store store = open("{'a': ['" + url + "', 0, 1], 'b': ['" + url + "']}");
    for (String key : List.of("a", "b")) {
      Throwable error = Waiting.errorOf(store.get(StoreKey.of(key)));
      assertThat(error).isInstanceOf(ZarrException.class).hasMessageContaining("key " + key);
      if (!url.contains("..")) {
        assertThat(error).isInstanceOf(AccessDeniedException.class);
        assertThat(data.counts().total()).isZero();
      }
    }
  }

  @Test
  void relative_urls_are_keys_beside_the_references() {
    Waiting.await(place.set(StoreKey.of("deep/a %20?.bin"), Bytes.utf8("beside")));
    Waiting.await(place.set(StoreKey.of("b.bin"), Bytes.utf8("above")));
    Store store = open("{'a': ['a %20?.bin'], 'b': ['./../b.bin', 1, 2], 'c': ['../../b.bin']}");
    assertThat(read(store, "a")).isEqualTo("beside");
    assertThat(read(store, "b")).isEqualTo("bo");
    assertThat(Waiting.errorOf(store.get(StoreKey.of("c"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("leads above the root");
  }

  @Test
  void relative_urls_are_below_the_base_of_the_options() {
    put("x/a 1.bin", "one");
    put("b%20.bin", "two");
    Store store =
        open(
            "{'a': ['a 1.bin'], 'b': ['../b%20.bin']}",
            KerchunkOptions.defaults().withBase("s3://archive/x"));
    assertThat(read(store, "a")).isEqualTo("one");
    assertThat(read(store, "b")).isEqualTo("two");
  }

  @Test
  void the_query_of_a_url_of_http_stays_as_it_is_written() {
    KerchunkOptions options = KerchunkOptions.defaults().withBase("https://host/x");
    String query = "?sig=a%2F/../b//c::d";
    for (String url :
        List.of(
            "https://host/x/a.nc" + query,
            "simplecache::https://host/x/a.nc" + query,
            "a.nc" + query,
            "./y/../a.nc" + query)) {
      assertThat(KerchunkUrl.absolute(url, options, "")).isEqualTo("https://host/x/a.nc" + query);
    }
    assertThatThrownBy(() -> KerchunkUrl.absolute("../../a.nc?sig=secret", options, ""))
        .hasMessageContaining("above the root: \"../../a.nc\"")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> KerchunkUrl.absolute("zip::https://h/a?sig=secret", options, ""))
        .hasMessageContaining("\"zip::\"")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> options.withBase("https://host/x/?sig=secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a base has no query")
        .hasMessageNotContaining("secret");
  }

  @Test
  void a_wrong_template_shows_nothing_of_a_signature() {
    for (String url :
        List.of("https://h/a?sig={{a(x='secret", "https://h/a?sig=secret{{a", "{{b + 1}}")) {
      String text = "{'version': 1, 'templates': {'b': 'https://h/a?sig=secret'}, 'refs': {'k': [";
      Bytes file = Bytes.utf8(text.replace('\'', '"') + '"' + url + "\"]}}");
      Waiting.await(place.set(FILE, file));
      assertThat(Waiting.errorOf(Kerchunk.open(place, FILE, containers)))
          .isInstanceOf(MetadataException.class)
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void a_reference_without_a_url_means_the_target_of_the_options() {
    put("t.bin", "0123");
    String text = "{'a': [null, 1, 2], 'b': [null]}";
    Store store = open(text, KerchunkOptions.defaults().withTarget("s3://archive/t.bin"));
    assertThat(read(store, "a")).isEqualTo("12");
    assertThat(read(store, "b")).isEqualTo("0123");
    assertThat(Waiting.errorOf(open(text).get(StoreKey.of("a"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("KerchunkOptions.withTarget")
        .hasMessageContaining("key a");
  }

  @Test
  void file_systems_of_fsspec_are_refused_by_name_but_caches() {
    put("a.bin", "A");
    Store store =
        open("{'a': ['filecache::s3://archive/a.bin'], 'b': ['zip://x::s3://archive/a.zip']}");
    assertThat(read(store, "a")).isEqualTo("A");
    assertThat(Waiting.errorOf(store.get(StoreKey.of("b"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("another file system of fsspec, \"zip://x::\"");
  }

  @Test
  void a_missing_object_is_an_error_and_no_missing_chunk() {
    Store store = open("{'a': ['s3://archive/none.bin', 0, 4]}");
    assertThat(Waiting.errorOf(store.get(StoreKey.of("a"))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("key a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the file of references is empty",
        "[]|references are a JSON object, not an array",
        "{'a': 'b'} x|not JSON",
        "{'a': 'b'|the file is cut short",
        "{'a': 1}|a reference is a text, an object, [url] or [url, offset, length], not a number",
        "{'a': []}|the URL of a reference is a text or null",
        "{'a': ['u', 1]}|a reference has an offset, and no length (key deep/refs.json, at /a)",
        "{'a': ['u', 1, -1]}|-1 bytes from 1 are no part of a file",
        "{'a': ['u', 9223372036854775807, 1]}|are no part of a file",
        "{'a': ['u', 1.5, 1]}|expected a 64-bit integer, found a number",
        "{'a': ['u', 92233720368547758070, 1]}|expected a 64-bit integer",
        "{'a': ['u', 1, 1, 1]}|a reference has more than url, offset and length",
        "{'a': 'base64:?'}|begins with base64: and is none",
        "{'a': '\\ud800'}|half of a character",
        "{'a//b': 'x'}|the name of a reference is no key of a store",
        "{'../b': 'x'}|at /..~1b",
        "{'': 'x'}|no key of a store",
        "{'version': 1, 'refs': []}|the references are an object, not an array",
        "{'version': 1, 'templates': {'a': 1}}|a template is a text, not a number",
        "{'version': 1, 'gen': [1]}|a generator is an object, not a number",
        "{'version': 1, 'gen': [{'key': 'a'}]}|needs the members key and url",
        "{'version': 1, 'gen': [{'key': 'a', 'url': 'b', 'offset': '1'}]}|both of offset and length",
        "{'version': 1, 'gen': [{'key': 'a{{i}}', 'url': 'b', 'dimensions': {'i': {'start': 1}}}]}"
            + "|a dimension needs the member stop",
        "{'version': 1, 'gen': [{'key': 'a{{i}}', 'url': 'b', 'dimensions': {'i': {'stop': 1,"
            + " 'step': 0}}}]}|the step of a dimension is 0",
        "{'version': 1, 'gen': [{'key': '/{{i}}', 'url': 'b', 'dimensions': {'i': {'stop': 1}}}]}"
            + "|a generator makes a name that is no key",
        "{'version': 1, 'gen': [{'key': '{{i}}', 'url': 'b', 'offset': 'x', 'length': '1',"
            + " 'dimensions': {'i': {'stop': 1}}}]}|not a 64-bit integer: \"x\"",
        "{'version': 1, 'gen': [{'key': '{{i}}', 'url': 'b', 'offset': '{{1 // (i - i)}}', 'length':"
            + " '1', 'dimensions': {'i': {'stop': 1}}}]}|1 // 0 is no 64-bit integer",
        "{'version': 1, 'gen': [{'key': '{{j}}', 'url': 'b', 'dimensions': {'i': {'stop': 1}}}]}"
            + "|no template \"j\"",
        "{'version': 1, 'templates': {'a': '{{b}}', 'b': '{{a}}'}, 'refs': {'k': ['{{a}}']}}"
            + "|leads to itself: a loop (key deep/refs.json, at /refs/k/0)",
        "{'version': 1, 'templates': {'a': '{{a()}}'}, 'refs': {'k': ['{{a}}']}}|a loop",
        "{'version': 1, 'templates': {'a': 'b'}, 'refs': {'k': ['{{a']}}|without its end",
      })
  void wrong_references_are_an_error_with_their_place(String text, String message) {
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(() -> open(text))
        .withMessageContaining(message)
        .withMessageContaining("key deep/refs.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{{a | upper}}~a filter (|)",
        "{{a.b}}~an attribute or item (.)",
        "{{a[0]}}~an attribute or item ([)",
        "{{f(1)}}~an argument without a name",
        "{{a if a else b}}~\"i\" in an expression",
        "{% for x in y %}{{a}}~a statement ({% … %})",
        "{{a}}{# x #}~a comment ({# … #})",
        "{{1 / 2}}~the operator / (// divides integers)",
        "{{2 ** 70}}~the operator **",
        "{{1.5}}~a number with a fraction",
        "{{a == b}}~\"=\" in an expression",
      })
  void other_jinja_is_refused_by_its_name(String url, String feature) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                open(
                    "{'version': 1, 'templates': {'a': 'x', 'f': '{{c}}'}, 'refs': {'k': ['"
                        + url
                        + "']}}"))
        .withMessageContaining(feature + " of jinja is not supported in templates")
        .withMessageContaining("at /refs/k/0");
  }

  @Test
  void another_version_is_refused_by_its_number() {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> open("{'version': 2, 'refs': {}}"))
        .withMessageContaining("version 2 of references is not supported");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'version': 1, 'templates': {'u': 's3://archive'}, 'gen': [GEN], 'refs': {REFS}",
        "'version': 1, 'refs': {REFS}, 'templates': {'u': 's3://archive'}, 'gen': [GEN]",
        "'refs': {REFS}, 'version': 1, 'gen': [GEN], 'templates': {'u': 's3://archive'}",
        "'gen': [GEN], 'templates': {'u': 's3://archive'}, 'refs': {REFS}, 'version': 1",
      })
  void the_members_may_come_in_any_order(String members) {
    put("a.bin", "0123456789");
    Store store =
        open(
            "{"
                + members
                    .replace(
                        "GEN",
                        "{'key': 'g/{{i}}', 'url': '{{u}}/a.bin', 'offset': '{{i}}', 'length': '1',"
                            + " 'dimensions': {'i': {'stop': 3}}}")
                    .replace("REFS", "'r/0': ['{{u}}/a.bin', 5, 2], 'x': 'text'")
                + "}");
    assertThat(Waiting.await(store.list()).stream().map(StoreKey::value))
        .containsExactly("g/0", "g/1", "g/2", "r/0", "x");
    assertThat(read(store, "g/2")).isEqualTo("2");
    assertThat(read(store, "r/0")).isEqualTo("56");
  }

  @Test
  void braces_are_no_templates_where_there_are_none() {
    assertThat(Waiting.await(open("{'k': ['s3://archive/{{a}}']}").list())).hasSize(1);
    assertThat(Waiting.await(open("{'version': 1, 'refs': {'k': ['{{a}}']}}").list())).hasSize(1);
  }

  @Test
  void a_generator_comes_after_the_references_and_the_last_of_two_names_counts() {
    put("a.bin", "0123456789");
    Store store =
        open(
            "{'version': 1, 'gen': [{'key': 'k/{{i}}.{{j}}', 'url': 's3://archive/a.bin',"
                + " 'offset': '{{-(i * -2) + j % 2}}', 'length': 1, 'dimensions': {'i': [4, 1],"
                + " 'j': {'start': 1, 'stop': -1, 'step': -1}}}], 'refs': {'k/4.1': 'old',"
                + " 'k/9.9': 'first', 'k/9.9': 'last'}}");
    assertThat(Waiting.await(store.list()).stream().map(StoreKey::value))
        .containsExactly("k/1.0", "k/1.1", "k/4.0", "k/4.1", "k/9.9");
    assertThat(read(store, "k/4.1")).isEqualTo("9");
    assertThat(read(store, "k/1.0")).isEqualTo("2");
    assertThat(read(store, "k/9.9")).isEqualTo("last");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'i': {'stop': 4000001}}",
        "{'i': {'stop': 9223372036854775807}}",
        "{'i': {'start': -9223372036854775808, 'stop': 9223372036854775807}}",
        "{'i': {'stop': 3000}, 'j': {'stop': 3000}}",
        "{'i': {'stop': 10000000000}, 'j': {'stop': 10000000000}, 'k': {'stop': 10000000000}}",
      })
  void a_generator_of_too_many_references_makes_none(String dimensions) {
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                open(
                    "{'version': 1, 'gen': [{'key': '{{i}}', 'url': 'b', 'dimensions': "
                        + dimensions
                        + "}]}"))
        .withMessageContaining("more than 4000000 references")
        .withMessageContaining("KerchunkOptions.withMaxReferences")
        .withMessageContaining("at /gen/0");
  }

  @Test
  void templates_that_grow_are_bounded() {
    StringBuilder templates = new StringBuilder("'t0': '0123456789'");
    StringBuilder empty = new StringBuilder("'e0': ''");
    for (int i = 1; i < 40; i++) {
      templates.append(",'t").append(i).append("':'{{t").append(i - 1).append("}}{{t");
      templates.append(i - 1).append("}}'");
      empty.append(",'e").append(i).append("':'{{e").append(i - 1).append("}}{{e");
      empty.append(i - 1).append("}}'");
    }
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () -> open("{'version':1,'templates':{" + templates + "},'refs':{'k':['{{t39}}']}}"))
        .withMessageContaining("more than 8192 characters");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () -> open("{'version':1,'templates':{" + empty + "},'refs':{'k':['{{e39}}']}}"))
        .withMessageContaining("takes more than 10000 steps");
    assertThatExceptionOfType(MetadataException.class)
        .isThrownBy(
            () ->
                open(
                    "{'version':1,'templates':{'a':'b'},'refs':{'k':['{{"
                        + "(".repeat(4000)
                        + "']}}"))
        .withMessageContaining("nested deeper than 64");
  }

  @Test
  void a_large_file_is_refused_by_a_bound_that_an_option_raises() {
    String text = "{'a': '" + "x".repeat(2000) + "'}";
    KerchunkOptions small = KerchunkOptions.defaults().withMaxBytes(1000);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> open(text, small))
        .withMessageContaining("KerchunkOptions.withMaxBytes");
    assertThat(read(open(text, small.withMaxBytes(5000)), "a")).hasSize(2000);
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () -> open("{'a':'1','b':'2'}", KerchunkOptions.defaults().withMaxReferences(1)))
        .withMessageContaining("more than 1 references");
  }

  @Test
  void a_file_that_decompresses_to_too_much_is_refused() {
    byte[] zeros = new byte[64 << 20];
    Arrays.fill(zeros, (byte) ' ');
    Waiting.await(place.set(FILE, Bytes.wrap(Zstd.compress(zeros))));
    assertThat(
            Waiting.errorOf(
                Kerchunk.open(
                    place, FILE, containers, KerchunkOptions.defaults().withMaxBytes(1 << 20))))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("more than 1048576 bytes");
  }

  @Test
  void damaged_compression_is_an_error() {
    byte[] compressed = Zstd.compress("{\"a\":\"b\"}".repeat(50).getBytes());
    Waiting.await(place.set(FILE, Bytes.wrap(compressed, 0, compressed.length / 2)));
    assertThat(Waiting.errorOf(Kerchunk.open(place, FILE, containers)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("compressed by zstd, and damaged");
  }

  @Test
  void no_file_is_an_error_and_each_subscription_opens_anew() {
    var opening = Kerchunk.open(place, FILE, containers);
    assertThat(Waiting.errorOf(opening))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("there are no references to open");
    Waiting.await(place.set(FILE, json("{'a': 'b'}")));
    assertThat(read(Objects.requireNonNull(Waiting.await(opening)), "a")).isEqualTo("b");
  }

  @Test
  void documents_that_are_not_utf_8_are_refused_and_a_mark_before_utf_8_is_passed_over() {
    Waiting.await(place.set(FILE, Bytes.wrap("{\"a\":\"b\"}".getBytes(StandardCharsets.UTF_16BE))));
    assertThat(Waiting.errorOf(Kerchunk.open(place, FILE, containers)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("not JSON");
    Waiting.await(place.set(FILE, Bytes.wrap(new byte[] {'{', '"', (byte) 0xff, '"'})));
    assertThat(Waiting.errorOf(Kerchunk.open(place, FILE, containers)))
        .isInstanceOf(MetadataException.class)
        .hasMessageContaining("not UTF-8");
    assertThat(read(open("\ufeff{'a': {'x': 1}}"), "a")).isEqualTo("{\"x\":1}");
  }

  @Test
  void options_refuse_what_means_nothing() {
    KerchunkOptions options = KerchunkOptions.defaults();
    for (Runnable wrong :
        List.<Runnable>of(
            () -> options.withMaxBytes(0),
            () -> options.withMaxBytes(1L << 31),
            () -> options.withMaxReferences(0),
            () -> options.withCacheBytes(-1))) {
      assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(wrong::run);
    }
  }
}
