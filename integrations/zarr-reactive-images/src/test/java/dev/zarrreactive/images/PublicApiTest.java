package dev.zarrreactive.images;

import dev.zarrreactive.testing.PublicApiContract;

/** The public API of this module is the one that is described. */
class PublicApiTest extends PublicApiContract {}
