package dev.zarrreactive.internal.description;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;

class NodeDescriptionTest {
  @Test
  void an_axis_whose_scale_is_no_number_has_no_lengths() {
    String attributes =
        "{'multiscales': [{'axes': ['t', 'y', 'x'], 'datasets': [{'path': '0',"
            + " 'coordinateTransformations': [{'type': 'scale', 'scale': ['NaN', 0, 2]}]}]}]}";
    ZarrGroup group =
        requireNonNull(
            await(
                Zarr.hierarchy(MemoryStore.create())
                    .createGroup("", GroupMetadata.of(3, Json.object(attributes)))));
    assertThat(requireNonNull(NodeDescription.metadata(group, null).get("image")).toString())
        .contains("{\"name\":\"t\",\"type\":\"time\",\"unit\":\"\"}")
        .contains("\"name\":\"y\",\"type\":\"space\",\"unit\":\"\",\"scale\":0.0,")
        .contains("\"name\":\"x\",\"type\":\"space\",\"unit\":\"\",\"scale\":2.0,");
  }
}
