package dev.zarrreactive.faults.server;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Serves the values of a store, with ranges and ETags (RFC 9110). */
final class ValueOrigin implements Origin {
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

  private final Store store;
  private final Map<StoreKey, Tagged> tags = new ConcurrentHashMap<>();
  private final String prefix;

  ValueOrigin(Store store, String prefix) {
    this.store = store;
    this.prefix = prefix;
  }

  @Override
  public Mono<ServerResponse> answer(ReceivedRequest asked) {
    if (!asked.method().equals("GET") && !asked.method().equals("HEAD")) {
      return Mono.just(ServerResponse.of(405, Bytes.EMPTY));
    }
    StoreKey key;
    try {
      key = StoreKey.of(asked.path().substring(prefix.length()));
    } catch (RuntimeException e) {
      return Mono.just(ServerResponse.of(404, Bytes.EMPTY));
    }
    return asked.path().startsWith(prefix)
        ? store
            .get(key)
            .map(value -> answer(asked, value, tag(key, value)))
            .defaultIfEmpty(missing())
        : Mono.just(missing());
  }

  private static ServerResponse missing() {
    return ServerResponse.of(404, Bytes.utf8("no such value"));
  }

  private static ServerResponse answer(ReceivedRequest asked, Bytes value, String tag) {
    String match = asked.header("if-match");
    if (match != null && !match.equals("*") && !isIn(match, tag)) {
      return ServerResponse.of(412, Bytes.EMPTY);
    }
    String noneMatch = asked.header("if-none-match");
    if (noneMatch != null && (noneMatch.equals("*") || isIn(noneMatch, tag))) {
      return ServerResponse.of(304, Bytes.EMPTY).with("etag", tag);
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept-ranges", "bytes");
    headers.put("etag", tag);
    headers.put("content-type", "application/octet-stream");
    Matcher range = RANGE.matcher(String.valueOf(asked.header("range")));
    String onlyIf = asked.header("if-range");
    boolean partial = range.matches() && (onlyIf == null || onlyIf.equals(tag));
    return partial
        ? partial(value, wanted(range), headers)
        : new ServerResponse(200, headers, value);
  }

  private static ServerResponse partial(
      Bytes value, @Nullable ByteRange wanted, Map<String, String> headers) {
    long size = value.size();
    if (wanted == null) {
      return new ServerResponse(200, headers, value);
    }
    long offset =
        wanted instanceof ByteRange.Suffix suffix
            ? Math.max(0, size - suffix.length())
            : wanted instanceof ByteRange.Slice slice
                ? slice.offset()
                : ((ByteRange.From) wanted).offset();
    long end =
        wanted instanceof ByteRange.Slice slice
            ? Math.min(size, slice.offset() + slice.length())
            : size;
    if (offset >= end) {
      return new ServerResponse(416, Map.of("content-range", "bytes */" + size), Bytes.EMPTY);
    }
    headers.put("content-range", "bytes " + offset + "-" + (end - 1) + "/" + size);
    return new ServerResponse(206, headers, value.slice((int) offset, (int) (end - offset)));
  }

  private static @Nullable ByteRange wanted(Matcher range) {
    String first = range.group(1);
    String last = range.group(2);
    try {
      if (first.isEmpty()) {
        return last.isEmpty() ? null : new ByteRange.Suffix(Long.parseLong(last));
      }
      long offset = Long.parseLong(first);
      return last.isEmpty()
          ? new ByteRange.From(offset)
          : new ByteRange.Slice(offset, Long.parseLong(last) + 1 - offset);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static boolean isIn(String list, String tag) {
    return Arrays.stream(list.split(",")).anyMatch(each -> each.strip().equals(tag));
  }

  /** The ETags of the last values: a store in memory returns the same array again. */
  private String tag(StoreKey key, Bytes value) {
    Tagged known = tags.get(key);
    if (known != null && known.value().unsafeArray() == value.unsafeArray()) {
      return known.tag();
    }
    String tag = tag(value);
    tags.put(key, new Tagged(value, tag));
    return tag;
  }

  private record Tagged(Bytes value, String tag) {}

  private static String tag(Bytes value) {
    CRC32C checksum = new CRC32C();
    checksum.update(value.asByteBuffer());
    return "\"" + value.size() + "-" + Long.toHexString(checksum.getValue()) + "\"";
  }
}
