package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/drafts.md. */
class DraftsSamplesTest {
  private final Store store = MemoryStore.create();

  @Test
  void a_node_of_a_draft_is_read_and_copied() {
    put(
        "zarr.json",
        "{'zarr_format': 'https://purl.org/zarr/spec/core/3.0', 'extensions': [],"
            + " 'metadata_encoding': {'type': 'json', 'metadata_key_suffix': '.json'}}");
    put(
        "meta/g/a.array.json",
        "{'shape': [2], 'data_type': 'uint8', 'chunk_memory_layout': 'F', 'fill_value': 7,"
            + " 'chunk_grid': {'type': 'regular', 'chunk_shape': [1], 'separator': '/'},"
            + " 'extensions': [], 'attributes': {'unit': 'm'}}");
    put("data/g/a/c1", "A");
    List<String> log = new ArrayList<>();
    // docs: drafts
    ZarrOptions options =
        ZarrOptions.defaults().withDrafts(Drafts.of(Draft.OF_2022, Draft.OF_2023));

    Mono<ZarrArray> array =
        Zarr.hierarchy(store, options)
            .openArray("g/a")
            .doOnNext(a -> a.warnings().forEach(warning -> log.add(warning.toString())));
    // docs: end
    ZarrArray source = array.block();
    assertThat(log).hasSize(1).first().asString().contains("2022 draft", "can only be read");

    Store target = MemoryStore.create();
    // docs: from-draft
    ArrayMetadata metadata =
        ArrayMetadata.like(source.metadata()).compressors(Codecs.zstd(3)).build();
    Mono<Void> copied =
        Zarr.hierarchy(target)
            .createArray("a", metadata)
            .flatMap(created -> created.write(source.chunks(Selection.all())));
    // docs: end
    copied.block();
    assertThat(
            Zarr.hierarchy(target)
                .openArray("a")
                .flatMap(a -> a.read(Selection.all()))
                .block()
                .toShortArray())
        .containsExactly(7, 'A');
  }

  private void put(String key, String text) {
    store.set(StoreKey.of(key), Bytes.utf8(text.replace('\'', '"'))).block();
  }
}
