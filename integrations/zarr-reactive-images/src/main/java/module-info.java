import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.images.JpegProvider;

/** The codec of JPEG, which the JDK's ImageIO decodes. */
module dev.zarrreactive.images {
  requires transitive dev.zarrreactive.format;
  requires java.desktop;
  requires static org.jspecify;

  exports dev.zarrreactive.images;

  provides CodecProvider with
      JpegProvider;
}
