import dev.zarrreactive.codec.CodecProvider;
import dev.zarrreactive.internal.metadata.DocumentTranslator;

/** The drafts of Zarr v3, which programs wrote before the specification was accepted. */
@SuppressWarnings("module")
module dev.zarrreactive.drafts {
  requires dev.zarrreactive.format;
  requires static org.jspecify;

  provides CodecProvider with
      dev.zarrreactive.internal.drafts.DraftCodecProvider;
  provides DocumentTranslator with
      dev.zarrreactive.internal.drafts.DraftTranslator;
}
