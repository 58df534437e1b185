package dev.zarrreactive.cli.options;

import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads codecs: {@code zstd:9,crc32c}, {@code none}, or JSON as it stands in {@code zarr.json}. */
public final class CodecsConverter implements ITypeConverter<CodecsConverter.Choice> {
  private static final Pattern CODEC =
      Pattern.compile("(zstd|gzip|blosc|crc32c)(?::(-?[0-9]{1,6}))?");

  /** The chosen codecs; an empty list means none. */
  public record Choice(List<NamedConfiguration> codecs) {
    public NamedConfiguration[] toArray() {
      return codecs.toArray(NamedConfiguration[]::new);
    }
  }

  @Override
  public Choice convert(String text) {
    if (text.equals("none")) {
      return new Choice(List.of());
    }
    return new Choice(
        text.startsWith("[")
            ? json(text)
            : Arrays.stream(text.split(",", -1)).map(CodecsConverter::codec).toList());
  }

  private static List<NamedConfiguration> json(String text) {
    try {
      return LocatedJson.of(JsonValue.parse(text)).elements().stream()
          .map(NamedConfiguration::parse)
          .toList();
    } catch (MetadataException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static NamedConfiguration codec(String text) {
    Matcher codec = CODEC.matcher(text.trim());
    if (!codec.matches()) {
      throw new TypeConversionException(
          "expected none, zstd, gzip, blosc or crc32c, perhaps with a level as in zstd:9, or a JSON"
              + " array; found "
              + text);
    }
    String level = codec.group(2);
    try {
      return switch (codec.group(1)) {
        case "zstd" -> Codecs.zstd(level(level, 3));
        case "gzip" -> Codecs.gzip(level(level, 6));
        case "blosc" -> Codecs.blosc(Compressor.ZSTD).level(level(level, 5));
        default -> {
          if (level != null) {
            throw new TypeConversionException("crc32c has no level; found " + text);
          }
          yield Codecs.crc32c();
        }
      };
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static int level(@Nullable String text, int otherwise) {
    return text == null ? otherwise : Integer.parseInt(text);
  }
}
