package dev.zarrreactive.cli.stored;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.ListEntry;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page on which a web server lists the files of a directory: in HTML as nginx, Apache,
 * lighttpd, Python's {@code http.server} and {@code zarr serve} do, or in JSON as nginx does.
 */
final class IndexPage {
  private static final Pattern TITLE = Pattern.compile("(?is)<title>(.{0,2000}?)</title>");
  private static final Pattern TITLE_OF_A_LIST =
      Pattern.compile("(?i)\\s*(index of\\b|directory listing|/).*", Pattern.DOTALL);
  private static final Pattern HREF =
      Pattern.compile("(?i)\\shref\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

  /** A size in bytes behind a time; one with a unit, such as 1.2K, is rounded. */
  private static final Pattern SIZE =
      Pattern.compile("\\d{1,2}:\\d{2}(?::\\d{2})?\\s+(\\d{1,18})(?=\\s|$)");

  private IndexPage() {}

  /** Returns the entries of a page; empty for a page that lists no files. */
  static Optional<List<ListEntry>> entries(StorePrefix directory, Bytes page) {
    String text = new String(page.toByteArray(), StandardCharsets.UTF_8);
    Map<String, ListEntry> entries = new LinkedHashMap<>();
    boolean isList =
        text.stripLeading().startsWith("[")
            ? addJson(directory, page, entries)
            : addHtml(directory, text, entries);
    return isList ? Optional.of(new ArrayList<>(entries.values())) : Optional.empty();
  }

  private static boolean addJson(
      StorePrefix directory, Bytes page, Map<String, ListEntry> entries) {
    JsonValue list;
    try {
      list = JsonDocument.parse(page.asByteBuffer(), Location.UNKNOWN).value();
    } catch (ZarrException e) {
      return false;
    }
    if (!(list instanceof JsonArray array)) {
      return false;
    }
    for (JsonValue element : array.elements()) {
      if (!(element instanceof JsonObject entry)
          || !(entry.get("name") instanceof JsonString name)
          || !(entry.get("type") instanceof JsonString type)) {
        return false;
      }
      long size =
          entry.get("size") instanceof JsonNumber number && number.isFinite()
              ? number.toBigDecimal().longValue()
              : ListEntry.Key.UNKNOWN_SIZE;
      add(directory, name.value(), type.value().equals("directory"), size, entries);
    }
    return true;
  }

  private static boolean addHtml(
      StorePrefix directory, String text, Map<String, ListEntry> entries) {
    Matcher title = TITLE.matcher(text);
    if (!title.find() || !TITLE_OF_A_LIST.matcher(title.group(1)).matches()) {
      return false;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    int anchor = lower.indexOf("<a ");
    while (anchor >= 0) {
      int next = lower.indexOf("<a ", anchor + 1);
      addLink(directory, text.substring(anchor, next < 0 ? text.length() : next), entries);
      anchor = next;
    }
    return true;
  }

  /**
   * Adds what a link leads to.
   *
   * @param text from the link to the next one
   */
  private static void addLink(StorePrefix directory, String text, Map<String, ListEntry> entries) {
    int end = text.indexOf('>');
    String tag = end < 0 ? "" : text.substring(0, end);
    Matcher href = HREF.matcher(tag);
    if (!href.find() || tag.contains(" rel=")) {
      return; // what has a relation to the list is no entry of it, such as the page of zarr serve
    }
    String link = href.group(1) == null ? href.group(2) : href.group(1);
    String plain = link.startsWith("./") ? link.substring(2) : link;
    boolean isDirectory = plain.endsWith("/");
    String name = isDirectory ? plain.substring(0, plain.length() - 1) : plain;
    if (name.isEmpty() || name.matches("[/?#].*|.*[/?#:].*")) {
      return; // not a name in this directory; a colon in a name is encoded, or behind ./
    }
    int behind = text.toLowerCase(Locale.ROOT).indexOf("</a>");
    String rest = behind < 0 ? "" : text.substring(behind).replaceAll("<[^>]*>|&nbsp;", " ");
    Matcher size = SIZE.matcher(rest);
    long bytes = size.find() ? Long.parseLong(size.group(1)) : ListEntry.Key.UNKNOWN_SIZE;
    try {
      String decoded =
          URLDecoder.decode(
              unescaped(name).replace("+", "%2B"), StandardCharsets.UTF_8); // a plus is itself
      add(directory, decoded, isDirectory, bytes, entries);
    } catch (IllegalArgumentException e) {
      // a percent sign without digits: no server writes it
    }
  }

  private static String unescaped(String text) {
    return text.replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }

  /** Adds an entry, unless its name is none of a key, such as that of the directory above. */
  private static void add(
      StorePrefix directory,
      String name,
      boolean isDirectory,
      long size,
      Map<String, ListEntry> entries) {
    if (name.contains("/")) {
      return;
    }
    try {
      ListEntry entry =
          isDirectory
              ? new ListEntry.Prefix(StorePrefix.of(directory.key(name) + "/"))
              : new ListEntry.Key(directory.key(name), Math.max(size, ListEntry.Key.UNKNOWN_SIZE));
      entries.putIfAbsent(name, entry);
    } catch (IllegalArgumentException e) {
      // .. and names that no key has
    }
  }
}
