package dev.zarrreactive.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages in the form of the reference of the REST API. */
class BlobPageTest {
  private static BlobPage parse(String blobs) throws XMLStreamException {
    String body =
        "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults"
            + " ServiceEndpoint=\"https://a.blob.core.windows.net/\" ContainerName=\"c\">"
            + blobs
            + "</EnumerationResults>";
    return BlobPage.parse(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_page_has_blobs_prefixes_and_a_marker_and_no_directories() throws XMLStreamException {
    BlobPage page =
        parse(
            """
            <Prefix>a</Prefix><Delimiter>/</Delimiter><Blobs>
            <Blob><Name>a/b</Name><Properties><Last-Modified>Fri, 27 Nov 2026 00:00:00 GMT\
            </Last-Modified><Content-Length>12</Content-Length></Properties><OrMetadata/></Blob>
            <Blob><Name>a/dir</Name><Properties><ResourceType>directory</ResourceType>\
            <Content-Length>0</Content-Length></Properties></Blob>
            <Blob><Name Encoded="true">a/%EF%BF%BE+c%25</Name><Properties/></Blob>
            <BlobPrefix><Name>a/below/</Name></BlobPrefix>
            </Blobs><NextMarker>2!4!next</NextMarker>
            """);
    assertThat(page.blobs())
        .containsExactly(
            new BlobPage.Blob("a/b", 12, Instant.parse("2026-11-27T00:00:00Z")),
            new BlobPage.Blob("a/\uFFFE+c%", -1, null));
    assertThat(page.prefixes()).containsExactly("a/below/");
    assertThat(page.objects().isTruncated()).isTrue();
    assertThat(parse("<Blobs/><NextMarker/>").objects().isTruncated()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<Blobs><Blob/></Blobs>",
        "<Blobs><Blob><Name Encoded=\"true\">%zz</Name></Blob></Blobs>",
        "<Blobs><Blob><Name>a</Name><Properties><Content-Length>-1</Content-Length></Properties>"
            + "</Blob></Blobs>",
        "<Blobs>"
      })
  void a_page_that_is_none_is_refused(String blobs) {
    assertThatThrownBy(() -> parse(blobs)).isInstanceOf(XMLStreamException.class);
  }

  @Test
  void a_page_of_another_root_is_refused() {
    byte[] other = "<ListBucketResult/>".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> BlobPage.parse(other)).hasMessageContaining("ListBucketResult");
  }
}
