package dev.zarrreactive.server;

import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;

/**
 * Lists a directory: as JSON, or as a page of links for people and for programs that read indexes.
 * Entries are listed as fast as the client reads, sorted by a thousand.
 */
final class DirectoryListing {
  private static final String UNRESERVED = "-._~";

  /** The entries that are sorted at a time: a directory may have any number. */
  private static final int SORTED = 1000;

  private final Store store;
  private final boolean hasPage;

  /**
   * Creates the listings of a store.
   *
   * @param hasPage true where a page for browsers is at {@code api/}
   */
  DirectoryListing(Store store, boolean hasPage) {
    this.store = store;
    this.hasPage = hasPage;
  }

  /** Returns the response; a directory without entries is missing. */
  Reply get(RequestPath path, HttpHeaders headers) {
    if (!store.capabilities().contains(StoreCapability.LIST)) {
      return Problem.of(501, path.path(), "the store behind this server cannot list its keys");
    }
    boolean asJson = wantsJson(headers);
    Flux<ListEntry> entries =
        store
            .listDir(path.prefix())
            .onErrorResume(NotAValueException.class, no -> Flux.empty())
            .buffer(SORTED)
            .concatMapIterable(DirectoryListing::sorted);
    return Reply.of(200)
        .with(HttpHeaderNames.CONTENT_TYPE, asJson ? Reply.JSON : "text/html;charset=utf-8")
        .with(HttpHeaderNames.CACHE_CONTROL, "no-cache")
        .with(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT.toString())
        .withPeeked(
            asJson ? json(path, entries) : page(path, entries),
            texts ->
                texts.map(text -> Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8))));
  }

  private static List<ListEntry> sorted(List<ListEntry> entries) {
    return entries.stream().sorted(Comparator.comparing(ListEntry::name)).toList();
  }

  private static boolean wantsJson(HttpHeaders headers) {
    String accept = headers.get(HttpHeaderNames.ACCEPT);
    return accept != null && accept.contains("json") && !accept.contains("html");
  }

  private static Flux<String> json(RequestPath path, Flux<ListEntry> entries) {
    String place = new JsonString(path.path()).toString();
    return text(
        path, "{\"path\":" + place + ",\"entries\":[", entries, DirectoryListing::json, ",", "]}");
  }

  private static String json(ListEntry entry) {
    return JsonObject.EMPTY
        .with("name", entry.name())
        .with("type", entry instanceof ListEntry.Key ? "value" : "directory")
        .toString();
  }

  private Flux<String> page(RequestPath path, Flux<ListEntry> entries) {
    String title = escaped("/" + path.path());
    String begin =
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>"
            + title
            + "</title></head>\n<body><h1>"
            + title
            + "</h1>\n"
            + (hasPage && path.path().isEmpty()
                ? "<p><a rel=\"alternate\" href=\"api/\">The page with pictures and metadata</a></p>\n"
                : "")
            + "<ul>\n"
            + (path.path().isEmpty() ? "" : "<li><a href=\"../\">../</a></li>\n");
    return text(path, begin, entries, DirectoryListing::link, "", "</ul></body></html>\n");
  }

  private static String link(ListEntry entry) {
    String slash = entry instanceof ListEntry.Key ? "" : "/";
    return "<li><a href=\""
        + encoded(entry.name())
        + slash
        + "\">"
        + escaped(entry.name())
        + slash
        + "</a></li>\n";
  }

  private static Flux<String> text(
      RequestPath path,
      String begin,
      Flux<ListEntry> entries,
      Function<ListEntry, String> entry,
      String between,
      String end) {
    return entries
        .index((number, listed) -> (number == 0 ? begin : between) + entry.apply(listed))
        .switchIfEmpty(
            path.path().isEmpty() ? Flux.just(begin) : Flux.error(Problem.MissingException::new))
        .concatWithValues(end);
  }

  /** Returns a name for the path of a URL. */
  static String encoded(String name) {
    StringBuilder encoded = new StringBuilder();
    for (byte unit : name.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean letterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (letterOrDigit || UNRESERVED.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append(String.format("%%%02X", (int) c));
      }
    }
    return encoded.toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
