package dev.zarrreactive.gcs;

import dev.zarrreactive.internal.objects.ObjectPage;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The listing of a bucket in XML. */
final class ListingXml {
  private static final String ROOT = "ListBucketResult";

  /** The factory reads no document type and no entity of another place. */
  private static final XMLInputFactory XML = factory();

  private ListingXml() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory;
  }

  /**
   * Parses a page.
   *
   * @throws XMLStreamException for other bytes
   */
  static ObjectPage parse(byte[] body) throws XMLStreamException {
    XMLStreamReader xml = XML.createXMLStreamReader(new ByteArrayInputStream(body));
    try {
      xml.nextTag();
      if (!xml.getLocalName().equals(ROOT)) {
        throw new XMLStreamException("the root is " + xml.getLocalName() + ", not " + ROOT);
      }
      return page(xml);
    } finally {
      xml.close();
    }
  }

  private static ObjectPage page(XMLStreamReader xml) throws XMLStreamException {
    List<ObjectPage.Listed> objects = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    boolean isTruncated = false;
    String next = null;
    while (goesOn(xml)) {
      switch (xml.getLocalName()) {
        case "Contents" -> objects.add(object(xml));
        case "CommonPrefixes" -> prefixes(xml, prefixes);
        case "IsTruncated" -> isTruncated = text(xml).equals("true");
        case "NextContinuationToken" -> next = text(xml);
        default -> skip(xml);
      }
    }
    return new ObjectPage(objects, prefixes, isTruncated, next);
  }

  private static ObjectPage.Listed object(XMLStreamReader xml) throws XMLStreamException {
    String name = null;
    long size = -1;
    while (goesOn(xml)) {
      switch (xml.getLocalName()) {
        case "Key" -> name = xml.getElementText();
        case "Size" -> size = size(text(xml));
        default -> skip(xml);
      }
    }
    if (name == null) {
      throw new XMLStreamException("an object has no Key");
    }
    return new ObjectPage.Listed(name, size);
  }

  private static void prefixes(XMLStreamReader xml, List<String> prefixes)
      throws XMLStreamException {
    while (goesOn(xml)) {
      if (xml.getLocalName().equals("Prefix")) {
        prefixes.add(xml.getElementText());
      } else {
        skip(xml);
      }
    }
  }

  private static long size(String text) throws XMLStreamException {
    if (!text.matches("[0-9]{1,18}")) {
      throw new XMLStreamException("a Size is no number");
    }
    return Long.parseLong(text);
  }

  private static String text(XMLStreamReader xml) throws XMLStreamException {
    return xml.getElementText().strip();
  }

  /** Goes to the next child of the element; false at the end of the element. */
  private static boolean goesOn(XMLStreamReader xml) throws XMLStreamException {
    while (true) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        return true;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        return false;
      }
    }
  }

  /** Skips an element with all that is in it. */
  private static void skip(XMLStreamReader xml) throws XMLStreamException {
    int depth = 1;
    while (depth > 0) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }
}
