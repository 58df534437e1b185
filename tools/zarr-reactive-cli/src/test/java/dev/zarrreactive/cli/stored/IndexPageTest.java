package dev.zarrreactive.cli.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.ListEntry;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IndexPageTest {
  private static final String NGINX =
      """
      <html>
      <head><title>Index of /earth.zarr/earth/</title></head>
      <body>
      <h1>Index of /earth.zarr/earth/</h1><hr><pre><a href="../">../</a>
      <a href="lat/">lat/</a>                              27-Nov-2026 11:01                   -
      <a href="a%20b%2Bc%2541%3Ad%26e.txt">a b+c%41:d&amp;e.txt</a>    27-Nov-2026 11:48       2
      <a href="zarr.json">zarr.json</a>                    27-Nov-2026 11:01                 183
      </pre><hr></body>
      </html>
      """;
  private static final String NGINX_ROUNDED = NGINX.replace("  183", "  12K");
  private static final String NGINX_JSON =
      """
      [
      { "name":"lat", "type":"directory", "mtime":"Fri, 27 Nov 2026 11:01:29 GMT" },
      { "name":"..", "type":"directory" },
      { "name":"zarr.json", "type":"file", "mtime":"Fri, 27 Nov 2026 11:01:29 GMT", "size":183 }
      ]
      """;
  private static final String PYTHON =
      """
      <!DOCTYPE HTML>
      <html lang="en">
      <head><title>Directory listing for /earth/</title></head>
      <body>
      <h1>Directory listing for /earth/</h1><hr><ul>
      <li><a href="lat/">lat/</a></li>
      <li><a href="zarr.json">zarr.json</a></li>
      </ul></body></html>
      """;
  private static final String APACHE_TABLE =
      """
      <!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
      <html><head><title>Index of /data</title></head><body><h1>Index of /data</h1>
      <table><tr><th valign="top"><img src="/icons/blank.gif" alt="[ICO]"></th>\
      <th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th>\
      <th><a href="?C=S;O=A">Size</a></th></tr>
      <tr><td><img src="/icons/back.gif"></td><td><a href="/">Parent Directory</a></td></tr>
      <tr><td><a href="lat/"><img src="/icons/folder.gif" alt="[DIR]"></a></td>\
      <td><a href="lat/">lat/</a></td><td align="right">2026-11-27 11:01  </td>\
      <td align="right">  - </td><td>&nbsp;</td></tr>
      <tr><td><img src="/icons/unknown.gif"></td><td><a href="zarr.json">zarr.json</a></td>\
      <td align="right">2026-11-27 11:01  </td><td align="right">183 </td><td>&nbsp;</td></tr>
      <tr><td></td><td><a href="0.0">0.0</a></td>\
      <td align="right">2026-11-27 11:01  </td><td align="right">1.2K</td><td>&nbsp;</td></tr>
      </table></body></html>
      """;

  private static List<String> entries(String page) {
    return IndexPage.entries(StorePrefix.of("e/"), Bytes.utf8(page)).orElseThrow().stream()
        .map(
            entry ->
                entry instanceof ListEntry.Key value
                    ? value.key() + " " + value.size()
                    : ((ListEntry.Prefix) entry).prefix().value())
        .toList();
  }

  @Test
  void pages_of_servers_are_read_with_exact_sizes() {
    assertThat(entries(NGINX)).containsExactly("e/lat/", "e/a b+c%41:d&e.txt 2", "e/zarr.json 183");
    assertThat(entries(NGINX_ROUNDED)).endsWith("e/zarr.json -1");
    assertThat(entries(NGINX_JSON)).containsExactly("e/lat/", "e/zarr.json 183");
    assertThat(entries(PYTHON)).containsExactly("e/lat/", "e/zarr.json -1");
    assertThat(entries(APACHE_TABLE)).containsExactly("e/lat/", "e/zarr.json 183", "e/0.0 -1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html><title>Welcome</title><a href=\"a\">a</a>",
        "<html><body><a href=\"a\">a</a>",
        "{\"zarr_format\": 3}",
        "[1, 2]",
        "[{\"name\": \"a\"}]",
        "[{\"name\": 1, \"type\": \"file\"}]",
        "[",
      })
  void another_page_is_no_list(String page) {
    assertThat(IndexPage.entries(StorePrefix.ROOT, Bytes.utf8(page))).isEmpty();
  }

  @Test
  void links_that_lead_elsewhere_are_no_entries() {
    String links =
        String.join(
            "",
            List.of(
                    "..",
                    "../",
                    ".",
                    "./",
                    "/",
                    "/etc/passwd",
                    "//host/a",
                    "http://host/a",
                    "a/b",
                    "?C=N",
                    "#top",
                    "mailto:a",
                    "javascript:x",
                    "a%2Fb",
                    "%2e%2e",
                    "a%",
                    "%zz",
                    "a%00")
                .stream()
                .map(link -> "<a href=\"" + link + "\">x</a>\n")
                .toList());
    assertThat(entries("<title>Index of /</title>" + links + "<a href='./x:y'>x</a>")).isEmpty();
    assertThat(entries("<title>Index of /</title><A HREF='./x'>x</A><a name=x>"))
        .containsExactly("e/x -1");
  }

  @Test
  void damaged_pages_end_with_entries_of_the_directory_or_none() {
    Random random = new Random(7);
    for (String page : new String[] {NGINX, NGINX_JSON, APACHE_TABLE}) {
      for (int i = 0; i < 2000; i++) {
        byte[] bytes = Bytes.utf8(page).toByteArray();
        for (int k = random.nextInt(8); k >= 0; k--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        Optional<List<ListEntry>> found =
            IndexPage.entries(StorePrefix.of("e/"), Bytes.wrap(bytes));
        found.ifPresent(
            all ->
                assertThat(all)
                    .allMatch(
                        entry ->
                            entry instanceof ListEntry.Key value
                                ? value.key().value().lastIndexOf('/') == 1
                                : ((ListEntry.Prefix) entry).prefix().value().startsWith("e/")));
      }
    }
  }
}
