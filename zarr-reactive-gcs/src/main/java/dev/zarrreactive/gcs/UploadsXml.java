package dev.zarrreactive.gcs;

import dev.zarrreactive.internal.objects.XmlElements;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** The lists of multipart uploads and of their parts in XML. */
final class UploadsXml {
  private UploadsXml() {}

  /** An upload that has not ended. */
  record Upload(String object, String id, Instant begun) {}

  /** The last upload of a page. */
  record Marker(String key, String upload) {}

  /**
   * A page of uploads.
   *
   * @param next where the next page begins; null for the last one
   */
  record Page(List<Upload> uploads, @Nullable Marker next) {}

  /**
   * A page of the parts of one upload.
   *
   * @param next the number of its last part; null for the last page
   */
  record Parts(long bytes, @Nullable Long next) {}

  /**
   * Parses a page of uploads.
   *
   * @param after where it began; a page that leads there again is the last one
   * @throws XMLStreamException for other bytes
   */
  static Page page(byte[] body, @Nullable Marker after) throws XMLStreamException {
    XMLStreamReader xml = XmlElements.open(body, "ListMultipartUploadsResult");
    List<Upload> uploads = new ArrayList<>();
    boolean isTruncated = false;
    String key = null;
    String id = "";
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Upload" -> uploads.add(upload(xml));
        case "IsTruncated" -> isTruncated = XmlElements.text(xml).equals("true");
        case "NextKeyMarker" -> key = xml.getElementText();
        case "NextUploadIdMarker" -> id = XmlElements.text(xml);
        default -> XmlElements.skip(xml);
      }
    }
    xml.close();
    Marker next = isTruncated && key != null ? new Marker(key, id) : null;
    return new Page(uploads, next != null && next.equals(after) ? null : next);
  }

  private static Upload upload(XMLStreamReader xml) throws XMLStreamException {
    String object = null;
    String id = null;
    Instant begun = null;
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Key" -> object = xml.getElementText();
        case "UploadId" -> id = XmlElements.text(xml);
        case "Initiated" -> begun = time(XmlElements.text(xml));
        default -> XmlElements.skip(xml);
      }
    }
    if (object == null || id == null || begun == null) {
      throw new XMLStreamException("an upload has no Key, no UploadId or no Initiated");
    }
    return new Upload(object, id, begun);
  }

  private static Instant time(String text) throws XMLStreamException {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new XMLStreamException("an Initiated that is no time: " + text, e);
    }
  }

  /**
   * Parses a page of the parts of one upload.
   *
   * @param after the part behind which it began; a page that leads no further is the last one
   * @throws XMLStreamException for other bytes
   */
  static Parts parts(byte[] body, @Nullable Long after) throws XMLStreamException {
    XMLStreamReader xml = XmlElements.open(body, "ListPartsResult");
    long bytes = 0;
    boolean isTruncated = false;
    Long next = null;
    while (XmlElements.next(xml)) {
      switch (xml.getLocalName()) {
        case "Part" -> bytes += size(xml);
        case "IsTruncated" -> isTruncated = XmlElements.text(xml).equals("true");
        case "NextPartNumberMarker" -> next = XmlElements.number(xml, "NextPartNumberMarker");
        default -> XmlElements.skip(xml);
      }
    }
    xml.close();
    boolean goesOn = isTruncated && next != null && (after == null || next > after);
    return new Parts(bytes, goesOn ? next : null);
  }

  private static long size(XMLStreamReader xml) throws XMLStreamException {
    long size = 0;
    while (XmlElements.next(xml)) {
      if (xml.getLocalName().equals("Size")) {
        size = XmlElements.number(xml, "Size");
      } else {
        XmlElements.skip(xml);
      }
    }
    return size;
  }
}
