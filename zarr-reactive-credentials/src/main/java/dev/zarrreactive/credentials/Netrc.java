package dev.zarrreactive.credentials;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user and a password for a machine, in a file {@code .netrc}.
 *
 * @param login the name of the user
 * @param password which {@code toString} does not show
 */
record Netrc(String login, String password) {
  /** Returns the entry of a machine, or else the default; null for neither. */
  static @Nullable Netrc find(String file, String machine) {
    List<String> words = words(file);
    Netrc found = null;
    for (int i = 0; i < words.size(); ) {
      String word = words.get(i++);
      boolean isDefault = word.equals("default");
      boolean isOfMachine =
          word.equals("machine") && i < words.size() && words.get(i++).equalsIgnoreCase(machine);
      if (!isDefault && !word.equals("machine")) {
        continue;
      }
      String login = "";
      String password = "";
      while (i + 1 < words.size() && isOfEntry(words.get(i))) {
        String name = words.get(i++);
        String value = words.get(i++);
        login = name.equals("login") ? value : login;
        password = name.equals("password") ? value : password;
      }
      if (isOfMachine) {
        return new Netrc(login, password);
      }
      found = isDefault ? new Netrc(login, password) : found;
    }
    return found;
  }

  private static boolean isOfEntry(String word) {
    return word.equals("login") || word.equals("password") || word.equals("account");
  }

  /** Splits the file into words, without comments and macros. */
  private static List<String> words(String file) {
    List<String> words = new ArrayList<>();
    boolean isMacro = false;
    for (String line : file.split("\\R", -1)) {
      String text = line.strip();
      isMacro = isMacro ? !text.isEmpty() : text.startsWith("macdef");
      if (!isMacro && !text.startsWith("#")) {
        words.addAll(wordsOf(text));
      }
    }
    return words;
  }

  private static List<String> wordsOf(String line) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < line.length(); ) {
      char first = line.charAt(i);
      if (Character.isWhitespace(first)) {
        i++;
        continue;
      }
      StringBuilder word = new StringBuilder();
      boolean isQuoted = first == '"';
      i += isQuoted ? 1 : 0;
      while (i < line.length()
          && (isQuoted ? line.charAt(i) != '"' : !Character.isWhitespace(line.charAt(i)))) {
        i += line.charAt(i) == '\\' && i + 1 < line.length() ? 1 : 0;
        word.append(line.charAt(i++));
      }
      i += isQuoted ? 1 : 0;
      words.add(word.toString());
    }
    return words;
  }

  /** The user, without the password. */
  @Override
  public String toString() {
    return "Netrc[" + login + "]";
  }
}
