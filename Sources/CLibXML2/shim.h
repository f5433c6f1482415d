// libxml2's encoding header pulls in ICU, which clashes with the ICU inside Foundation and breaks a clean build of any
// file that imports both. Without the define, the header leaves ICU alone.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/globals.h>

// Swift reads no global variable that C might change.
static inline const char *clibxml2_loaded_version(void) { return xmlParserVersion; }
