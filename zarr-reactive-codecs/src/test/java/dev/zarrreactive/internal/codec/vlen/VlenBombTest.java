package dev.zarrreactive.internal.codec.vlen;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody knows how long texts are; but what some bytes decode to has an end. */
class VlenBombTest {
  private static final int BLOCK = 128 << 10;

  @Test
  void a_few_bytes_do_not_decode_to_gigabytes() {
    ChunkRepresentation chunk =
        new ChunkRepresentation(Shape.of(3), DataTypes.STRING, FillValue.zero(DataTypes.STRING));
    NamedConfiguration zstd =
        NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 3).with("checksum", false));
    ChunkCodec codec =
        CodecChain.of(
                List.of(NamedConfiguration.of("vlen-utf8"), zstd),
                LocatedJson.of(JsonObject.EMPTY),
                CodecRegistry.standard())
            .bind(chunk);
    assertThatThrownBy(() -> codec.decode(zeros(1 << 30)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("expected at most 302006272 bytes"); // 256 MiB and a little
  }

  /** A zstd frame (RFC 8878) of blocks that each are one byte, repeated. */
  private static Bytes zeros(int size) {
    byte[] frame = new byte[4 + 1 + 8 + size / BLOCK * 4];
    int at = 0;
    for (int b : new int[] {0x28, 0xb5, 0x2f, 0xfd, 0xe0}) {
      frame[at++] = (byte) b;
    }
    for (int i = 0; i < 8; i++) {
      frame[at++] = (byte) ((long) size >>> (8 * i));
    }
    for (int left = size; left > 0; left -= BLOCK) {
      int header = BLOCK << 3 | 1 << 1 | (left == BLOCK ? 1 : 0);
      frame[at++] = (byte) header;
      frame[at++] = (byte) (header >>> 8);
      frame[at++] = (byte) (header >>> 16);
      at++;
    }
    return Bytes.wrap(frame);
  }
}
