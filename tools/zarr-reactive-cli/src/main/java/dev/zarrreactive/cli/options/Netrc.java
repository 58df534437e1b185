package dev.zarrreactive.cli.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The logins of a {@code .netrc} file: {@code machine HOST login NAME password WORD}, and {@code
 * default} for every other host. Errors show neither hosts nor words of the file.
 */
final class Netrc {
  private static final Pattern TOKEN = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+)");
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  /** The key of {@code default}, which no host is called. */
  private static final String ANY_HOST = "";

  private final Map<String, Map<String, String>> entries = new HashMap<>();

  private Netrc() {}

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read, or if other users may read it
   */
  static Netrc read(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
      throw new IOException("other users may read it: chmod 600 helps");
    }
    Netrc netrc = new Netrc();
    netrc.parse(Files.readString(file, StandardCharsets.UTF_8));
    return netrc;
  }

  private void parse(String text) {
    // the text of a macro ends with an empty line
    String plain = text.replaceAll("(?ms)^\\s*macdef\\b.*?(?:\\R[ \\t]*\\R|\\z)", "\n");
    String words =
        plain
            .lines()
            .filter(line -> !line.strip().startsWith("#"))
            .collect(Collectors.joining("\n"));
    List<String> tokens = TOKEN.matcher(words).results().map(Netrc::word).toList();
    Map<String, String> entry = new HashMap<>();
    for (int i = 0; i < tokens.size(); i++) {
      String token = tokens.get(i);
      if (token.equals("default")) {
        entry = new HashMap<>();
        entries.putIfAbsent(ANY_HOST, entry);
      } else if (i + 1 < tokens.size()) {
        String value = tokens.get(++i);
        if (token.equals("machine")) {
          entry = new HashMap<>();
          entries.putIfAbsent(value.toLowerCase(Locale.ROOT), entry);
        } else {
          entry.putIfAbsent(token, value);
        }
      }
    }
  }

  private static String word(MatchResult token) {
    return token.group(1) == null ? token.group(2) : token.group(1).replaceAll("\\\\(.)", "$1");
  }

  /** Returns the header {@code Authorization} for a host; null without a login for it. */
  @Nullable String authorization(String host) {
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
  List<String> passwords() {
    return entries.values().stream()
        .map(entry -> entry.getOrDefault("password", ""))
        .filter(password -> !password.isEmpty())
        .toList();
  }
}
