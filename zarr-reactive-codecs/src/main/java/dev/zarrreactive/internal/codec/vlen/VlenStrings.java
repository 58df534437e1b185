package dev.zarrreactive.internal.codec.vlen;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.BytesType;
import dev.zarrreactive.datatype.StringType;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The elements of the codecs {@code vlen-utf8} and {@code vlen-bytes}. */
final class VlenStrings {
  static final String UTF8 = "vlen-utf8";
  static final String BYTES = "vlen-bytes";

  private VlenStrings() {}

  static VlenCodec utf8(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new VlenCodec(
        use,
        new VlenCodec.Element(
            type -> type instanceof StringType,
            text -> encodeText((String) text),
            VlenStrings::decodeText));
  }

  static VlenCodec bytes(NamedConfiguration use) {
    use.configuration().allowOnly();
    return new VlenCodec(
        use,
        new VlenCodec.Element(
            type -> type instanceof BytesType,
            bytes -> (Bytes) bytes,
            // A copy: a slice would keep the whole chunk in memory for one element.
            bytes -> Bytes.wrap(bytes.toByteArray())));
  }

  private static Bytes encodeText(String text) {
    try {
      return Bytes.copyOf(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
    } catch (CharacterCodingException e) {
      throw new CodecException("half a surrogate pair is not Unicode text", Location.UNKNOWN, e);
    }
  }

  /** Decodes strictly: Java's own decoder would replace damaged text by U+FFFD. */
  private static String decodeText(Bytes bytes) {
    byte[] array = bytes.unsafeArray();
    int from = bytes.unsafeOffset();
    String text = new String(array, from, bytes.size(), StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(array, from, bytes.size()));
      } catch (CharacterCodingException e) {
        throw new CodecException("invalid UTF-8", Location.UNKNOWN, e);
      }
    }
    return text;
  }
}
