package dev.zarrreactive.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may be a secret in what the user gave, taken out of whatever is printed about errors: stores
 * show none of it, but others that are asked on the way might. Thread-safe.
 */
final class Secrets {
  /** What is shorter is not looked for: it would be found in the middle of words. */
  private static final int LEAST = 6;

  /** The user information, the query and fragment of a URL, wherever it stands. */
  private static final Pattern URL =
      Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]+:/*(?:([^/?#]*)@)?[^?#]*(?:[?#](.*))?");

  /** The longest come first: one may hold another. */
  private final Set<String> texts =
      new ConcurrentSkipListSet<>(
          Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));

  /** Adds what may be one in the words of a command line, also one that cannot be parsed. */
  void addFrom(String... arguments) {
    String before = "";
    for (String argument : arguments) {
      if (before.equals("--header")) {
        add(argument.substring(argument.indexOf(':') + 1));
      } else if (argument.startsWith("--header=")) {
        add(argument.substring(Math.max(argument.indexOf('='), argument.indexOf(':')) + 1));
      }
      Matcher url = URL.matcher(argument);
      if (url.find()) {
        addUserInformation(url.group(1));
        addQuery(url.group(2));
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
    if (text != null) {
      add(text);
      for (String part : text.split("&", -1)) {
        add(part.substring(part.indexOf('=') + 1));
      }
    }
  }

  /** Adds one, as it is and decoded. */
  void add(String raw) {
    String text = raw.strip();
    addIfLong(text);
    try {
      addIfLong(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      // it is not encoded
    }
  }

  private void addIfLong(String text) {
    if (text.length() >= LEAST) {
      texts.add(text);
    }
  }

  /** {@code text} with stars in their place. */
  String hidden(String text) {
    String result = text;
    for (String secret : texts) {
      result = result.replace(secret, "***");
    }
    return result;
  }
}
