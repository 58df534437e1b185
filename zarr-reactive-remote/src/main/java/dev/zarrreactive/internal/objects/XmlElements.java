package dev.zarrreactive.internal.objects;

import java.io.ByteArrayInputStream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Reads the elements of a response in XML. */
public final class XmlElements {
  /** The factory reads no document type and no entity of another place. */
  private static final XMLInputFactory XML = factory();

  private XmlElements() {}

  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    return factory;
  }

  /**
   * Returns a reader that stands on the root of a document, which the caller closes.
   *
   * @param root the name of the root
   * @throws XMLStreamException for other bytes
   */
  public static XMLStreamReader open(byte[] body, String root) throws XMLStreamException {
    XMLStreamReader xml = XML.createXMLStreamReader(new ByteArrayInputStream(body));
    xml.nextTag();
    if (!xml.getLocalName().equals(root)) {
      throw new XMLStreamException("the root is " + xml.getLocalName() + ", not " + root);
    }
    return xml;
  }

  /** Goes to the next child of the element; false at the end of the element. */
  public static boolean next(XMLStreamReader xml) throws XMLStreamException {
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
  public static void skip(XMLStreamReader xml) throws XMLStreamException {
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

  /** Reads a text without the white space around it. */
  public static String text(XMLStreamReader xml) throws XMLStreamException {
    return xml.getElementText().strip();
  }

  /**
   * Reads a number that is no less than zero.
   *
   * @throws XMLStreamException for other text
   */
  public static long number(XMLStreamReader xml, String element) throws XMLStreamException {
    String text = text(xml);
    if (!text.matches("[0-9]{1,18}")) {
      throw new XMLStreamException("a " + element + " is no number");
    }
    return Long.parseLong(text);
  }
}
