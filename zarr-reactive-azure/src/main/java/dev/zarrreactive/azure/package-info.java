/** Stores in containers of Azure Blob Storage. */
@NullMarked
package dev.zarrreactive.azure;

import org.jspecify.annotations.NullMarked;
