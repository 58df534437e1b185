package dev.zarrreactive.internal.netrc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The logins of a {@code .netrc} file: {@code machine HOST login NAME password WORD}, and {@code
 * default} for every other host. Errors and {@code toString} show neither hosts nor words of it.
 */
public final class Netrc {
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private static final int MOST_BYTES = 1 << 20;

  /** The key of {@code default}, which no host is called. */
  private static final String ANY_HOST = "";

  private final Map<String, Map<String, String>> entries = new HashMap<>();

  private Netrc() {}

  /**
   * Reads a file, which blocks.
   *
   * @throws IOException if it cannot be read, or if other users may read it
   */
  public static Netrc read(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
      throw new IOException("other users may read it: chmod 600 helps");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw new IOException("it has more than " + MOST_BYTES + " bytes");
      }
      return parse(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  /** Parses the text of a file. Words that mean nothing are left out. */
  public static Netrc parse(String text) {
    Netrc netrc = new Netrc();
    Map<String, String> entry = new HashMap<>();
    List<String> words = words(text);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("default")) {
        entry = new HashMap<>();
        netrc.entries.putIfAbsent(ANY_HOST, entry);
      } else if (i + 1 < words.size()) {
        String value = words.get(++i);
        if (word.equals("machine")) {
          entry = new HashMap<>();
          netrc.entries.putIfAbsent(value.toLowerCase(Locale.ROOT), entry);
        } else {
          entry.putIfAbsent(word, value);
        }
      }
    }
    return netrc;
  }

  /** Splits the text into words, without comments and macros; a macro ends with an empty line. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    boolean isMacro = false;
    for (String line : text.split("\\R", -1)) {
      String bare = line.strip();
      isMacro = isMacro ? !bare.isEmpty() : bare.startsWith("macdef");
      if (!isMacro && !bare.startsWith("#")) {
        addWords(bare, words);
      }
    }
    return words;
  }

  private static void addWords(String line, List<String> words) {
    int i = 0;
    while (i < line.length()) {
      if (Character.isWhitespace(line.charAt(i))) {
        i++;
        continue;
      }
      boolean isQuoted = line.charAt(i) == '"';
      i += isQuoted ? 1 : 0;
      StringBuilder word = new StringBuilder();
      while (i < line.length()
          && (isQuoted ? line.charAt(i) != '"' : !Character.isWhitespace(line.charAt(i)))) {
        boolean isEscape = isQuoted && line.charAt(i) == '\\' && i + 1 < line.length();
        i += isEscape ? 1 : 0;
        word.append(line.charAt(i++));
      }
      i += isQuoted ? 1 : 0;
      words.add(word.toString());
    }
  }

  /** Returns the header {@code Authorization} for a host; null without a login for it. */
  public @Nullable String authorization(String host) {
    Map<String, String> entry =
        entries.getOrDefault(
            host.toLowerCase(Locale.ROOT), entries.getOrDefault(ANY_HOST, Map.of()));
    String login = entry.get("login");
    String password = entry.get("password");
    if (login == null || password == null) {
      return null;
    }
    byte[] both = (login + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Returns all passwords, which are printed nowhere. */
  public List<String> passwords() {
    return entries.values().stream()
        .map(entry -> entry.getOrDefault("password", ""))
        .filter(password -> !password.isEmpty())
        .toList();
  }
}
