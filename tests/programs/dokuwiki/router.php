<?php
// PHP's own server asks this file what to do: files and scripts are served as they are, page names are DokuWiki's.
$path = urldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
$file = $_SERVER['DOCUMENT_ROOT'] . $path;
if ($path !== '/' && is_file($file)) {
    return false;  // the server itself writes it to the log
}
error_log($_SERVER['REQUEST_METHOD'] . ' ' . $_SERVER['REQUEST_URI']);
if ($path === '/') {
    $_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/doku.php';
    require $_SERVER['DOCUMENT_ROOT'] . '/doku.php';
    return true;
}
http_response_code(404);
