package dev.zarrreactive.libdeflate;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiFunction;

/**
 * Decodes bytes by a codec, and says what a user sees. {@link LibraryOnPath} loads it by class
 * loaders with and without this module: the arguments are types of the JDK, a codec as JSON with
 * the size of the result, and the encoded bytes.
 */
public final class Decoding implements BiFunction<String, byte[], String> {
  @Override
  public String apply(String codecAndSize, byte[] encoded) {
    String[] words = codecAndSize.split(" ", 2);
    SizeBound size = SizeBound.exactly(Integer.parseInt(words[0]));
    String document = "{\"codec\": " + words[1] + "}";
    BytesToBytesCodec codec =
        (BytesToBytesCodec)
            CodecRegistry.standard()
                .create(
                    NamedConfiguration.parse(
                        JsonDocument.parse(
                                ByteBuffer.wrap(document.getBytes(StandardCharsets.UTF_8)),
                                Location.UNKNOWN)
                            .member("codec")));
    try {
      Bytes decoded = codec.decode(Bytes.wrap(encoded), DecodeTarget.fresh(size));
      return decoded.size() + " bytes: " + Arrays.hashCode(decoded.toByteArray());
    } catch (CodecException e) {
      return e.toString();
    }
  }
}
