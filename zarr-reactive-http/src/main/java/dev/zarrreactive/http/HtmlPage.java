package dev.zarrreactive.http;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.BodyCoding;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A page in HTML that a server sends with the status 200 in place of a missing value, as servers of
 * web applications and of log-ins do.
 */
final class HtmlPage {
  private static final List<String> BEGINNINGS =
      List.of("<!doctype", "<html", "<head", "<body", "<!--", "<?xml", "<script", "<title");

  /** White space, and the mark of the byte order, may stand before. */
  private static final int MOST_LOOKED_AT = 512;

  private HtmlPage() {}

  /** Returns true where the head of a response to a request for {@code key} is that of a page. */
  static boolean isTypeOf(HttpClientResponse response, StoreKey key) {
    String type = response.responseHeaders().get(HttpHeaderNames.CONTENT_TYPE);
    return type != null && isHtml(type) && !isNamedAsOne(key.value());
  }

  private static boolean isHtml(String type) {
    String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return media.equals("text/html") || media.equals("application/xhtml+xml");
  }

  private static boolean isNamedAsOne(String key) {
    String name = key.toLowerCase(Locale.ROOT);
    return name.endsWith(".html") || name.endsWith(".htm") || name.endsWith(".xhtml");
  }

  /**
   * Returns true where a body of that type begins as a page does, also one of a single byte.
   *
   * @param coding the coding of the body; null for none
   */
  static boolean begins(ByteBuf body, @Nullable BodyCoding coding) {
    int count =
        coding == null ? Math.min(body.readableBytes(), MOST_LOOKED_AT) : body.readableBytes();
    byte[] first = ByteBufUtil.getBytes(body, body.readerIndex(), count);
    String text =
        new String(
                coding == null ? first : coding.beginning(first, MOST_LOOKED_AT),
                StandardCharsets.UTF_8)
            .replace("\uFEFF", "")
            .stripLeading()
            .toLowerCase(Locale.ROOT);
    return !text.isEmpty()
        && BEGINNINGS.stream().anyMatch(page -> text.startsWith(page) || page.startsWith(text));
  }

  /** Returns the error for a page, which is no value of Zarr. */
  static StoreException error(StoreKey key, Url url) {
    return ResponseErrors.violation(
        key,
        url.toString(),
        "answered with a page in HTML (200, text/html) where a value was asked for. If the server"
            + " sends a page for whatever is missing, the option pages-are-missing takes it for a"
            + " missing value");
  }
}
