package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/own-codec.md. */
class OwnCodecSamplesTest {
  private final Store store = MemoryStore.create();

  @Test
  void a_codec_of_the_users_own() {
    // docs: codec-use
    CodecRegistry codecs = CodecRegistry.standard().with(new XorCodecProvider());
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, ZarrOptions.defaults().withCodecs(codecs));

    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(4), DataTypes.UINT8).compressors(XorCodec.withKey(0xff)).build();
    NdArray data =
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(4), (byte) 0, (byte) 1, (byte) 2, (byte) 3);

    Mono<NdArray> thereAndBack =
        hierarchy
            .createArray("secret", metadata)
            .delayUntil(array -> array.write(Selection.all(), data))
            .flatMap(array -> array.read(Selection.all()));
    // docs: end
    assertThat(thereAndBack.block()).isEqualTo(data);
    assertThat(store.get(StoreKey.of("secret/c/0")).block().toByteArray())
        .containsExactly(0xff, 0xfe, 0xfd, 0xfc);
    assertThatThrownBy(() -> Zarr.hierarchy(store).openArray("secret").block())
        .isInstanceOf(UnknownExtensionException.class)
        .hasMessageContaining("example.xor");
    assertThatThrownBy(() -> XorCodec.of(XorCodec.withKey(256)))
        .isInstanceOf(MetadataException.class);
  }
}
