package dev.zarrreactive.internal.drafts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups without a document, which the 2023 draft had. */
class ImplicitGroupsTest {
  private static final String GROUP = "{'zarr_format': 3, 'node_type': 'group'}";

  private static final String ARRAY =
      """
      {'zarr_format': 3, 'node_type': 'array', 'shape': [2], 'data_type': 'int8',
       'chunk_grid': {'name': 'regular', 'configuration': {'chunk_shape': [1]}},
       'chunk_key_encoding': 'default', 'fill_value': 0, 'codecs': ['bytes']}
      """;

  private final MemoryStore store = MemoryStore.create();
  private final ZarrHierarchy lenient =
      Zarr.hierarchy(store, ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2023)));

  @BeforeEach
  void fill() {
    put("foo/bar/zarr.json", GROUP);
    put("foo/baz/qux/zarr.json", ARRAY);
    put("foo/baz/qux/c/0", "x");
    put("__reserved/x/y", "x");
    put("file", "x");
  }

  @Test
  void something_below_makes_a_group() {
    ZarrGroup root = lenient.openGroup("").block();
    assertThat(names(root))
        .containsExactlyInAnyOrder("/foo", "/foo/bar", "/foo/baz", "/foo/baz/qux");
    for (String path : List.of("", "foo", "foo/baz")) {
      ZarrGroup group = lenient.openGroup(path).block();
      assertThat(group.metadata().isImplicit()).isTrue();
      assertThat(group.metadata().draft()).isEqualTo(Draft.OF_2023);
      assertThat(group.attributes()).isEqualTo(JsonObject.EMPTY);
      assertThat(group.warnings())
          .singleElement()
          .asString()
          .contains("a group without a document", "2023 draft", "node /" + path);
      assertThat(lenient.exists(path).block()).isTrue();
    }
    assertThat(lenient.openGroup("foo/bar").block().warnings()).isEmpty();
  }

  @Test
  void neither_chunks_nor_an_empty_directory_make_a_group() {
    for (String path : List.of("foo/baz/qux/c", "nothing", "file")) {
      assertThatThrownBy(() -> lenient.open(path).block())
          .isInstanceOf(NodeNotFoundException.class);
      assertThat(lenient.exists(path).block()).isFalse();
    }
  }

  @Test
  void nodes_of_version_2_make_no_group_of_version_3() {
    put("foo/old/.zarray", "{}");
    put("foo/old/0/0", "x");
    assertThat(names(lenient.openGroup("").block())).doesNotContain("/foo/old");
    put("two/.zgroup", "{'zarr_format': 2}");
    put("two/junk/x/y", "x");
    assertThat(names(lenient.openGroup("two").block())).isEmpty();
  }

  @Test
  void without_the_option_there_are_none() {
    ZarrHierarchy strict = Zarr.hierarchy(store);
    assertThatThrownBy(() -> strict.open("foo").block()).isInstanceOf(NodeNotFoundException.class);
    put("foo/zarr.json", GROUP);
    assertThat(names(strict.openGroup("foo").block())).containsExactly("/foo/bar");
  }

  @Test
  void an_implicit_group_has_no_attributes_to_set_until_it_is_created() {
    ZarrGroup foo = lenient.openGroup("foo").block();
    assertThatThrownBy(() -> foo.updateAttributes(a -> a.with("x", 1)).block())
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("can only be read");
    lenient.createGroup("foo/baz/new").block();
    for (String path : List.of("", "foo", "foo/baz", "foo/baz/new")) {
      assertThat(Zarr.hierarchy(store).openGroup(path).block().metadata().isImplicit()).isFalse();
    }
  }

  private static List<String> names(ZarrGroup group) {
    return group.tree().map(node -> node.path().value()).collectList().block();
  }

  private void put(String key, String text) {
    store.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))).block();
  }
}
