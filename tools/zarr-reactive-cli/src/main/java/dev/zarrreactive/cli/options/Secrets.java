package dev.zarrreactive.cli.options;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The possible secrets in the user's arguments, which are removed from printed errors: errors of
 * other libraries may contain them. Thread-safe.
 */
public final class Secrets {
  /** The shortest text that is removed: a shorter one would be found in the middle of words. */
  private static final int LEAST = 6;

  /** A URL, for its user information, query and fragment. */
  private static final Pattern URL =
      Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]+:/*(?:([^/?#]*)@)?[^?#]*(?:[?#](.*))?");

  /** The beginning of a query that is no secret: the instant of a version. */
  private static final String INSTANT = "as-of=";

  /** The texts, the longest first: one may contain another. */
  private final Set<String> texts =
      new ConcurrentSkipListSet<>(
          Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));

  /**
   * Adds the possible secrets in the words of a command line, also of one that cannot be parsed.
   */
  public void addFrom(String... arguments) {
    String before = "";
    for (String argument : arguments) {
      if (before.equals("--header")) {
        add(argument.substring(argument.indexOf(':') + 1));
      } else if (argument.startsWith("--header=")) {
        add(argument.substring(Math.max(argument.indexOf('='), argument.indexOf(':')) + 1));
      }
      for (String segment : argument.split("\\|", -1)) {
        Matcher url = URL.matcher(segment);
        if (url.find()) {
          addUserInformation(url.group(1));
          addQuery(url.group(2));
        }
      }
      before = argument;
    }
  }

  private void addUserInformation(@Nullable String text) {
    if (text != null) {
      add(text);
      add(text.substring(text.indexOf(':') + 1));
    }
  }

  private void addQuery(@Nullable String text) {
    if (text != null && !text.startsWith(INSTANT)) {
      add(text);
      for (String part : text.split("&", -1)) {
        add(part.substring(part.indexOf('=') + 1));
      }
    }
  }

  /** Adds a secret, as it is and decoded. */
  public void add(String raw) {
    String text = raw.strip();
    addIfLong(text);
    try {
      addIfLong(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      // not encoded
    }
  }

  private void addIfLong(String text) {
    if (text.length() >= LEAST) {
      texts.add(text);
    }
  }

  /** Returns {@code text} with stars in place of secrets. */
  public String hidden(String text) {
    String result = text;
    for (String secret : texts) {
      result = result.replace(secret, "***");
    }
    return result;
  }
}
