package dev.zarrreactive.cli.options;

import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A name and a value that may be a secret: errors do not show it.
 *
 * @param name the text before the separator
 * @param value the text behind it
 */
public record NamedValue(String name, String value) {
  /** RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  @Override
  public String toString() {
    return name;
  }

  private static NamedValue parse(String text, char separator, String expected) {
    int at = text.indexOf(separator);
    String name = at < 0 ? "" : text.substring(0, at).strip();
    String value = at < 0 ? "" : text.substring(at + 1).strip();
    if (!TOKEN.matcher(name).matches() || value.isEmpty()) {
      throw new TypeConversionException("expected " + expected + " (what was given is not shown)");
    }
    return new NamedValue(name, value);
  }

  /** {@code NAME:VALUE}. */
  static final class OfHeader implements ITypeConverter<NamedValue> {
    @Override
    public NamedValue convert(String text) {
      return parse(text, ':', "NAME:VALUE, such as 'X-Api-Key: abc'");
    }
  }

  /** {@code NAME:VARIABLE}. */
  static final class OfVariable implements ITypeConverter<NamedValue> {
    @Override
    public NamedValue convert(String text) {
      return parse(text, ':', "NAME:VARIABLE, such as X-Api-Key:API_KEY");
    }
  }

  /** {@code NAME=VALUE}. */
  public static final class OfSetting implements ITypeConverter<NamedValue> {
    @Override
    public NamedValue convert(String text) {
      return parse(text, '=', "NAME=VALUE, such as connections=16");
    }
  }
}
