package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import java.util.HexFormat;

/** Codecs by id and JSON. */
final class Use {
  private Use() {}

  static <C extends Codec> C of(Class<C> kind, String id, String configuration) {
    String json = "{'name': 'numcodecs." + id + "', 'configuration': " + configuration + "}";
    return kind.cast(
        CodecRegistry.standard()
            .create(
                NamedConfiguration.parse(
                    JsonDocument.parse(
                        Bytes.utf8(json.replace('\'', '"')).asByteBuffer(), Location.UNKNOWN))));
  }

  static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits.replace(" ", "")));
  }
}
