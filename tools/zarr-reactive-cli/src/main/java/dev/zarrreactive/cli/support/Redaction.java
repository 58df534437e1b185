package dev.zarrreactive.cli.support;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces what looks like a secret in a text by {@code ***}: in URLs what stands before the host
 * and behind the path, tokens of known forms, and in JSON every value of a member whose name says
 * that it is a credential. The text need not be JSON, and may be broken JSON.
 */
public final class Redaction {
  private static final String STARS = "***";

  /** Names of members, decoded, and of variables of a process. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "(?is).*(token|secret|passw|passphrase|pwd|credential|authorization|signature|cookie"
              + "|api.?key|access.?key|account.?key|private.?key|shared.?access).*"
              + "|key|pass|(.*[_-])?sas([_-].*)?");

  private static final Pattern URL =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]{0,20}:(?:\\\\?/){2})([^\\s\"'<>]*+)");

  private static final Pattern KNOWN =
      Pattern.compile(
          "\\b(?:AKIA|ASIA)[0-9A-Z]{12,}+|\\beyJ[\\w-]{6,}+\\.[\\w-]++(?:\\.[\\w-]*+)?"
              + "|\\b(?:gh[a-z]_|github_pat_|hf_|xox[a-z]-|sk-)[\\w-]{10,}+"
              + "|(?i:\\b(?:bearer|basic)\\s{1,4}[\\w.~+/=-]{6,}+)"
              + "|(?i:(?<=\\b(?:sig|signature|password|passwd|secret|token|accountkey|sharedkey"
              + "|x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature)=)"
              + "[^&\\s\"';]++)");

  private final String text;
  private final StringBuilder result = new StringBuilder();
  private int at;

  private Redaction(String text) {
    this.text = text;
  }

  /** Returns the text without what looks like a secret. */
  public static String of(String text) {
    return new Redaction(text).redacted();
  }

  /** Returns true for the name of a member, or of a variable, whose value is a credential. */
  static boolean isCredential(String name) {
    return CREDENTIAL.matcher(name).matches();
  }

  private String redacted() {
    while (at < text.length()) {
      int quote = text.indexOf('"', at);
      if (quote < 0) {
        plain(text.length());
        break;
      }
      plain(quote);
      int end = endOfString(at);
      String name = text.substring(at + 1, end);
      int colon = skipBlanks(end + 1);
      boolean isName = colon < text.length() && text.charAt(colon) == ':';
      result.append('"').append(withoutSecrets(name));
      at = end;
      if (at < text.length()) {
        result.append('"');
        at++;
      }
      if (isName && isCredential(decoded(name))) {
        result.append(text, at, colon + 1);
        at = colon + 1;
        hideValue();
      }
    }
    return result.toString();
  }

  private void plain(int end) {
    result.append(withoutSecrets(text.substring(at, end)));
    at = end;
  }

  /** Replaces a value: all of an object or an array, a string, or another token. */
  private void hideValue() {
    int start = skipBlanks(at);
    int end = start;
    int depth = 0;
    do {
      if (end >= text.length()) {
        break;
      }
      char c = text.charAt(end);
      if (c == '"') {
        end = Math.min(text.length(), endOfString(end) + 1);
      } else if (c == '{' || c == '[') {
        depth++;
        end++;
      } else if (c == '}' || c == ']') {
        depth--;
        end += depth < 0 ? 0 : 1;
      } else if (c == ',' && depth == 0) {
        break;
      } else {
        end++;
      }
    } while (depth >= 0 && (depth > 0 || !isEndOfValue(start, end)));
    result.append(text, at, start).append('"').append(STARS).append('"');
    at = end;
  }

  /** Returns whether a value without an open bracket ends before {@code end}. */
  private boolean isEndOfValue(int start, int end) {
    return end > start
        && (text.charAt(end - 1) == '"'
            || text.charAt(end - 1) == '}'
            || text.charAt(end - 1) == ']');
  }

  private int skipBlanks(int from) {
    int next = from;
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    return next;
  }

  /** Returns the index of the quote that ends a string, or the end of the text. */
  private int endOfString(int quote) {
    int end = quote + 1;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end, text.length());
  }

  private static String withoutSecrets(String text) {
    String plain =
        URL.matcher(text)
            .replaceAll(url -> Matcher.quoteReplacement(withoutUser(url.group(1), url.group(2))));
    return KNOWN.matcher(plain).replaceAll(STARS);
  }

  /** Returns a URL without what stands before its host, its query and its fragment. */
  private static String withoutUser(String scheme, String rest) {
    int end = firstOf(rest, "?#");
    String place = rest.substring(0, end);
    int user = place.lastIndexOf('@');
    return scheme
        + (user < 0 ? place : STARS + place.substring(user))
        + (end < rest.length() ? rest.charAt(end) + STARS : "");
  }

  private static int firstOf(String text, String characters) {
    for (int at = 0; at < text.length(); at++) {
      if (characters.indexOf(text.charAt(at)) >= 0) {
        return at;
      }
    }
    return text.length();
  }

  /** Returns the name with its escapes of JSON decoded: {@code \}{@code u0070assword} is one. */
  private static String decoded(String name) {
    Matcher escape = Pattern.compile("\\\\u([0-9A-Fa-f]{4})").matcher(name);
    return escape.replaceAll(
        found ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 16))));
  }
}
