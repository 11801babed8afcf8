"""Common given names: a text of two capital words that begins with one is hardly anything but the name of a person."""

from thresher.extraction.fields.given_names_abroad import NAMES_ABROAD

_NAMES = """
    aaliyah aarav aaron aarti aashish abbas abbie abby abdul abdullah abe abel abhay abhijit abhinav abhishek abigail
    abner abraham ada adalbert adam addison adela adelaide adele adelina adem adina aditya adolfo adria adrian adriana
    adrienne adrián afshin agata agatha agathe agnes agnieszka agustin agustín ahmad ahmed ahmet aida aidan aiden aiko
    aileen aimee aimée ainsley aisha ajay akash akhil akira akshay alain alaina alan alana alasdair alastair albert
    alberto albin alda alejandro aleksandar aleksander aleksandr aleksandra aleksei aleksi alena alessandra alessandro
    alessia alessio alex alexa alexander alexandra alexandre alexandrea alexandria alexei alexej alexia alexis alfie
    alfonso alfred alfredo ali alice alicia alina alisa alisha alison alissa alistair alix allan allegra allen allie
    allison alma aloys alphonse althea alva alvaro alvin alwin alyce alyssa alyssia amaia amalia amanda amandine amar
    amara amaury ambra amelia amelie amina aminah amir amit amos amrita amy ana anabel anand ananya anastasia anaïs
    anders andi andrea andreas andrei andrej andrew andrija andrius andrzej andré andrés andy aneta angela angelica
    angelika angelina angelique angelo angie angus anika aniket anil aniruddha anirudh anis anish anissa anita anja
    anjali anjana anke ankit ann anna annabel annabelle anne annegret anneke annelie anneliese annemarie annette
    annick annie annika annina ansel anselm ansgar anshul anthea anthony antje antoine anton antonella antonia
    antonija antonio antonín antti anuj anuradha anya aoife apurva araceli aravind archana archie ariana arianna ariel
    arjun arlene armand armando armin arnaud arnav arne arno arnold aron artem arthur arturo arun arvid arvind arya
    asher ashish ashlee ashleigh ashley ashlyn ashok ashwin asim asma asta astrid athena aubrey audra audrey augusta
    auguste augustin augusto aurelia aurélie aurélien austin ava avery avi aviva axel aya ayesha aylin ayse ayush ayşe
    azra babette bailey balazs balázs baptiste barbara barbra barnabas barnaby barry bart basil bastian bastien beata
    beate beatrice beatrix beatriz becca becky begoña belinda bella belén ben benedetta benedict benedikt bengt benita
    benito benjamin benny benoit benoît berenice bernadette bernard bernardo bernd bernhard bernice bert berta bertha
    bertrand beth bethany betsy bettina betty beverly bhavesh bhavya bianca bilal bill billie billy birgit bjarne
    bjorn björn blaine blair blake blanca blanka bob bobbie bobby bogdan bojan bonnie boris bozena brad bradley brady
    branden brandon branko breanna brenda brendan brenna brent bret brett brian briana brianna brianne bridget
    bridgette brielle brigid brigitta brigitte brittany brittney brock brody bronwyn brooke bruce bruno bryan bryant
    bryce bryn bryony burak burkhard byron bärbel béla børge caitlin caitlyn caleb callum calum calvin cameron camila
    camilla camille camilo candace candice caren carey carin carina carissa carl carla carlo carlos carlota carlton
    carly carme carmela carmen carmine caro carol carole carolin carolina caroline carolyn carrie carson carsten casey
    caspar casper cassandra cassidy cassie catalina catarina cate caterina catharina catherine cathleen cathrin
    cathrine cathy catriona cecil cecile cecilia cecilie cedric celeste celia celina celine cem cesar chad chaim
    chandler chandra chantal charis charity charlene charles charlie charlotte charlton chas chaz chelsea cheryl chet
    chetan chiara chloe chloé chris chrissie christa christabel christel christen christer christian christiane
    christie christin christina christine christof christoph christophe christopher christos christy chukwuemeka cian
    ciara cillian cindy claire clara clare clarence clarice clarissa clark claude claudia claudine claudio claus
    clayton clea clemence clemens clement clementine cleo clifford clint clinton clive clémence clément cody coen
    colby cole colette colin coline colleen connie connor conny conor conrad constance consuelo cora coralie cordelia
    cordula corey corina corine corinna corinne cornelia corrine cory cosima costas courtney craig cristian cristiano
    cristina cristobal cristóbal curtis cynthia cyril cyrus czesław cédric céline césar dafydd dagmar dagny dahlia
    dalia damian damien damir damla damon dan dana dane dani danica daniel daniela daniele danielle danijel danilo
    daniël danny dante danuta daphne darcy daria dario darius dariusz darko darlene darrel darrell darren darryl
    dashiell dave david davide davina dawid dawn dean deanna deb debbie debby debora deborah debra declan dee deepak
    deirdre delaney delia della delphi delphine demet demetrius denis denise deniz dennis denny derek derrick desiree
    desirée desmond detlef devika devin devon dexter dhruv diana diane dianne didier diederik diego dieter dietmar
    dilek dilip dimitri dimitrios dimitris dina dinesh dino dion dirk divya djamila dmitri dmitry dmytro dolly dolores
    domenico domingo dominic dominik dominika dominique donald donatella donato donna donny donovan dora doreen dorian
    dorina doris dorit dorota dorothea dorothee dorothy doug douglas dov dragan dražen drew drusilla duane duarte
    dulce duncan dusan dustin dušan dwayne dwight dylan dylann eamon eamonn earl eben eberhard ebony eckart eckhard ed
    eda edda eddie edgar edith edmond edmondo edmund edna edoardo edouard edson eduardo edvard edward edwin efe efrain
    egbert egon eike eileen einar eirik ekaterina elad elaina elaine elba eleanor eleanora elena eleni eleonora
    eleonore elfriede eli eliana elias elif elijah elina elinor eliot elisa elisabeth elisabetta elise elisha eliza
    elizabeth elke ella ellen elli ellie elliot elliott ellis elmar elmer elodie eloise elsa elsbeth elsie elvira
    elvis elwood emanuel emanuela emanuele emek emelie emeline emer emerson emery emil emilia emiliano emilie emilio
    emily emine emma emmanuel emmet emmett emmy emre ena enda ender enes engelbert engin enno enrico enrique enver
    enzo ephraim erdem eren erhard eric erica erich erick erik erika erin erlend erling ernest ernestine ernesto ernst
    erwan erwin esma esme esra esteban estefanía estela estelle esther ethan etienne eugen eugene eugenia eugenie
    eugenio eun eunice eva evan evangelia eve evelien evelina evelyn evelyne evgenia evgeny ewa ewan ewelina ezekiel
    ezra fabian fabienne fabio fabiola fabrice fabricio fabrizio faisal fanny farah farhan farid farida fatih fatima
    fatma fausto fay faye federica federico felicia feliciano felicitas felicity felipe felix femke ferdinand ferenc
    fergal fergus fernand fernanda fernando ferran fidel fien fikret filip filipa filippo finlay finley finn finnegan
    fiona fionn flavia fleur flo flora florence florencia florent florentin florian floriane florin floris floyd fouad
    fran frances francesca francesco francine francis francisca francisco franck franco francois frank franka franz
    franziska franziskus françois françoise fraser frauke fred freda freddie freddy frederic frederick frederik
    frederike fredrik freya frida frieda friederike friedhelm friedrich fritz frédéric fynn gabi gabor gabriel
    gabriela gabriele gabriella gabrielle gaetano gaia gail galina ganesh gareth garrett garry garth gary gaspar
    gaspard gaston gaurav gautam gavin gavriel gayle geert geeta geir gemma gena gene genevieve gennaro genoveva geoff
    geoffrey georg george georges georgette georgi georgia georgina georgios georgy geraint gerald geraldine gerard
    gerardo gerben gerd gereon gerhard gerlinde germaine germán gero gerrit gerry gert gerta gertrud gesa ghislaine
    giacomo giada gian gianluca gianna gianni gideon gil gilbert gilberto giles gilles gillian gina ginny gioia
    giorgia giorgio giovanna giovanni girish gisela gitte giulia giuliana giuliano giuseppe gleb glen glenda glenn
    glenys gloria gonzalo goran gordon gottfried grace grady graeme graham grainne grant grazia graziella greer greg
    gregg gregoire gregor gregorio gregory greta gretchen griffin grzegorz gráinne grégoire guadalupe gudrun guglielmo
    guido guilherme guillaume guillermo gunda gunnar gunter gunther gus gustaf gustav gustave gustavo gwen gwendolyn
    gwyneth györgy gábor göran gösta götz günter günther habib hadi hadley hagen hailey hajo hakan hal haley halina
    halle halvor hamid hamish hamza hanan hank hanka hanna hannah hanne hannelore hannes hanni hannu hans harald
    harish harlan harold harper harri harrie harriet harriett harrison harry harsh hartmut harvey hasan hassan hauke
    hayden hayley hazel hazem heath heather hector hedda hedwig heidi heike heiko heiner heini heinrich heinrike heinz
    hela helder helen helena helene helga helge helle hellen helmut helmuth heloise hendrik henk henning henri
    henriette henrik henrike henrique henry henryk herb herbert heribert herman hermann hernan hernán herta hervé
    hester hilary hilda hildegard hilke hillary hiltrud himanshu hina hiram hiroshi hjalmar holden holger hollie holly
    homer horace horacio horst hortense howard howie hristo hubert hubertus hudson hugh hugo humberto humphrey husain
    hussain hussein håkan håvard héctor hélène hülya iago iain ian ibolya ibrahim ibtisam ida ieva ifeoma iga ignacio
    ignacy ignaz igor iker ilana ilaria ildiko ilias ilka ilkka ilona ilse ilya iman immanuel imogen imran imre ina
    ines inga inge ingeborg inger ingmar ingo ingolf ingrid ingvild inka inna inès inés inês ioana ioannis iolanda
    iona ira iraida iratxe irene irina irma irmgard irvin irving irwin isa isaac isabel isabella isabelle isaiah isha
    ishaan isidora isidro isla ismael ismail isobel issa istván ivan ivana ivar ivo ivonne iván iwan iwona izabela
    izzy jaakko jaako jaap jacek jacinda jacinta jack jackie jackson jacky jaclyn jacob jacobo jacopo jacqueline
    jacquelyn jacques jada jaden jae jaffar jagdish jagoda jahn jaime jaimee jaimie jake jakob jakub jalen jalil jamal
    jameel james jamie jamila jan jana janae jane janek janelle janet janez janice janie janina janine janis janna
    janne janneke jannik janos janusz jaqueline jared jarek jarmo jaroslav jarosław jarrett jarrod jasmin jasmine
    jasna jason jasper jaume javier jay jaya jayanta jayden jayne jayson jaz jean jeanette jeanie jeanine jeanne
    jeannette jed jeff jefferson jeffrey jelena jelle jemima jemma jen jenna jenni jennie jennifer jennings jenny jens
    jeppe jere jeremiah jeremie jeremy jeri jeroen jerome jerry jerzy jerónimo jesper jess jesse jessica jessie jesus
    jesús jett jill jillian jim jimmy jitka jiří jo joachim joakim joan joana joanie joann joanna joanne joaquin
    joaquín job joby jocelyn jochen jock joda jodi jodie jody joe joel joelle joey johan johana johann johanna
    johannes john johnathan johnnie johnny jolanda jolanta jolene jolie jon jona jonah jonas jonathan jonna jonny
    jools joost jordan jordana jordi jorge joris jos jose josef josefa josefina joselyn josep joseph josephin
    josephine josh joshua josie joss jost josué josé jovana joy joyce jozef joão joëlle juan juana juanita judd jude
    judit judith judy jukka jule jules julia julian juliana juliane julianna julianne juliano julie julien julienne
    juliet juliette julio julius juliusz june junko juraj jurgen jurij jussi justin justine justus justyna jutta jyoti
    jytte jános jérémie jérémy jérôme jón józef jördis jörg jörn júlia júlio jürgen jānis kaan kacper kader kai
    kaitlin kaitlyn kaja kaleb kalle kalyan kamal kamala kamil kamila kanika kara karan kareem karel karen kari
    karianne karim karin karina karl karla karlheinz karly karola karolin karolina karoline karsten karthik kasey
    kashif kasia kasimir kaspar kasper kassandra kata katalin katarina katarzyna kate katelyn kateryna kateřina
    katharina katherine kathi kathie kathleen kathrin kathryn kathryne kathy kati katie katinka katja katka katlyn
    katrien katrin katrina kaur kavita kavya kay kaya kaye kayla kayleigh kayley kazimierz keanu keegan keeley keenan
    keerthana kees keiko keir keira keisha keith kellen kelley kelli kellie kelly kelsey kelvin kemal ken kendall
    kendra kendrick kenji kennedy kenneth kent kenza keri kermit kerri kerry kersti kerstin keshia ketan keven kevin
    khadija khaled khalid khalil kian kiara kieran kilian kim kimberley kimberly kinga kingsley kipp kira kiran kiri
    kirill kirk kirsten kirstie kirstin kirsty kishore kitty kjell kjersti klara klaus klemens knud knut kofi konrad
    konstantin konstantinos konstanze korbinian korey kornelia kris krishna krishnan krista kristen kristi kristian
    kristie kristijan kristin kristina kristine kristjan kristofer kristoffer kristopher kristy krystal krystian
    krystyna krzysztof ksenia ksenija kseniya kumar kunal kunigunde kurt kwame kyla kyle kylie kyra kyriakos kārlis
    lacey lachlan laila laith lajos lakshmi lalita lamar lana lanah lance lanny lara larissa larry lars lasse laszlo
    latisha latoya laura laureen laurel lauren laurence laurens laurent lauretta lauri lauriane laurie laurin laurynas
    laurène lavanya laverne lavinia lawrence layla lazar lea leah leana leander leandro leann leanna leanne leanora
    leda lee leen leena leif leigh leighton leila leland lena lenka lennard lennart lennox lenny lenore leo leon
    leonard leonardo leone leonhard leonid leonie leonor leonora leonore leopold leopoldo leroy lesley leslie lester
    leszek leticia letizia lev levi levin lewis lex lexi lexie leyla lia liam liana liane lianne libby lidia lidija
    liesbeth liesel lieselotte liev lila lilia lilian liliana lilith lillian lillie lilly lina linda lindsay lindsey
    lindy linn linnea linnéa linsey linton linus lionel lior lisa lisbeth lise lisette liv livia liz lizzie ljiljana
    ljubica lloyd loes logan lois lola loredana lorelei loren lorena lorenz lorenzo loreto loretta lori lorie lorin
    lorna lorraine lothar lotta lotte lou louie louis louisa louise lourdes lovisa loïc lubomir luc luca lucas lucca
    lucia lucian luciana lucie lucien lucienne lucile lucilla lucille lucinda lucio lucrecia lucretia lucy ludmila
    ludovic ludovico ludwig luigi luis luisa luise luiz lujza lukas lukasz luke luna lutz luz luzia lydia lyle lyn
    lynda lyndon lyndsey lynette lynn lynne lyudmila maarten maartje mabel macarena maciej mack mackenzie macy maddie
    maddison madelaine madeleine madeline madelyn madhav madhu madhuri madison maeve magali magda magdalena magdalene
    maggie magnus maha mahesh mahmoud mahmud maia maik maike maja makayla malaika malcolm malek malgorzata malia malik
    malin malina mallory malou malte malvina mamadou mamie manas manda mandeep mandy manfred mani manish manoj manon
    manpreet mansi manu manuel manuela manvi mara marc marcel marcela marceline marcella marcello marcelo marcia
    marcin marcio marco marcos marcus mare mareike mareile marek maren margaret margareta margarete margaretha
    margarethe margarida margarita margaux marge margherita margie margit margo margot margret margrit marguerite mari
    maria mariah mariam mariana marianne mariano maribel maribeth maricel marie marieke mariella marielle marietta
    marija marijke marika marilena marilou marilyn marin marina marine mario mariola marion marios marisa marisol
    marissa marit marita maritza mariusz mariya mariëlle marjan marjolein marjorie marjut mark markku marko markus
    marla marleen marlen marlene marley marlies marlis marlisa marlon marna marnie marsha marshall marta marte martha
    martijn martin martina martine martino marty martí marvel marvin mary marya maryam maryann maryanne marylin masha
    massimo matej mateo mateus mateusz matheus mathew mathias mathieu mathilda mathilde mathis matias matija matilda
    matilde matjaž matt matteo matthew matthias matthieu matthijs matti mattia mattias matty matías matěj maud maude
    maura maureen mauri maurice mauricio mauritz mauro mavis max maxence maxi maxim maxime maximilian maximiliano
    maxine maya mayank maylis mayra mayumi maëlle małgorzata meena meera meg megan megha meghan meghna mehdi mehmet
    meike meir meital mel melania melanie melina melinda melisa melissa melody melvin mena meral mercedes meredith
    meret meric merilee merle merlin merrick merrill mert merve meryl meta mette mia mica micah michael michaela
    michail michal michalis michaël michał micheal michel michela michele michelle michiel michèle mick mickael mickey
    miguel mihai mikael mikaela mike mikhail miki mikko mikolaj mikołaj mila milan milena miles milica milko millie
    milly milo milos miloš milton mimi mina mindy minna mio mira miranda mirco mireia mireille mirela miriam mirjam
    mirka mirko miro miroslav miroslava mirosław mirta misha mitch mitchell mitja moa modesto moe mogens mohamed
    mohammad mohammed mohan mohit mohsen mohsin moira moises moisés molly mona moni monica monika monique monserrat
    montserrat monty mor mordechai moreno morgan morgane mori moritz morten moshe motoko muhammad muneeb munir murat
    muriel murray musa mustafa mykola myles mylène myra myriam myrna myron myrtle márcio mária márton måns mélanie
    mónica nabil nada nadeem nadezhda nadia nadine nadja nadège nael nagore naim nainoa najib namrata nana nancy
    nandini nanette nanne naoise naoko naomi naomie narendra narges nasir nasrin nasser nastassja natalia natalie
    nataliya natalya natasha nataša nathalie nathan nathanael nathaniel nava naveen nayan nayla nazanin neal ned neda
    neela neelam neeraj neeta neha neil nele nelia nell nellie nelly nelson nerea nessa nestor netta neus neville
    nevin nia nicanor niccolò nicholas nick nicki nicky nico nicola nicolai nicolas nicole nicoleta nicoletta
    nicolette nicolás nidhi niels nieves nigel nihal nika nike nikhil nikhita niki nikita nikki niklas nikola nikolai
    nikolaj nikolas nikolaus nikolay nikolina nikos nilesh nils nima nimrod nina nino niraj nirmal nisha nishant nita
    nitin nitya niyati noa noah noam noel noelia noella noemi nolan noor nora norah norbert norberto nordin noreen
    noriko norma norman norris nour noémie noëlle nuala nuno nuria nynke núria oana octavia octavio oda odette odin
    ofelia ofer oisín oksana ola oladipo olaf olav ole oleg oleksandr oleksandra oleksiy olena olesya olga oli olimpia
    oliver olivia olivier oliwia olli ollie olof olu oluwaseun omar omid omri ondra ondrej ondřej onur oona ophelia
    oriana oriol orla orlagh orlando ornella orsolya orson osama oscar oskar osman osvaldo oswald oswin othmar otis
    otmar ottavia ottilie ottmar otto owen ozan ozgur oğuz paavo pablo paddy paige palina palle paloma pam pamela
    panagiotis panos paola paolina paolo parag parvati pascal pascale pascual pasi pasquale pat patric patrice
    patricia patrick patrik patrizia patrycja patsy patti patty paul paula paulette paulina pauline paulino paulo
    pavel pavlos pawel paweł payal payton pedro peer peggy pekka penelope perdita pere pernille perry petar pete peter
    petr petra petro petros petteri peyton phelim phil philip philipp philippe phillip phoebe phyllis pia pier
    pierangelo pierce pierluigi pierre pierrette pierrick piet pieter pietro pilar pim pinar pinja piotr piper pippa
    pius polina polly pooja poppy porfirio poul prabhat prachi pradeep pradip prakash pramod pranav pranjal prasad
    prasanna prashant prateek prathamesh pratik praveen preethi preeti prem prema prerna preston priscilla pritam
    pritha priya priyanka przemek przemysław puja puneet punit pınar qasim quentin quincy quinn quinten quirin rachel
    radek radka radmila radomir radoslav radosław radu rafael rafaela rafal rafał raffaele raffaella raghav ragna
    ragnar ragnhild raheem rahel rahim rahul raimund raimundo raina raine rainer rainier raissa raj rajan rajat rajeev
    rajendra rajesh rajiv rakel rakesh ralf ralitsa ralph rama raman ramesh rami ramin ramiro ramon ramona ramón
    randall randy rania ranjan ranjit raphael raquel rasa rashid rashida rashmi rasmus ratna raul ravi ravindra rawan
    raya rayan raymond raymundo rayna rayner razvan raúl reagan reba rebecca reece reed reem reena reetta regan reggie
    regina reginald regine reid reidun reina reinaldo reiner reinhard reinhild reinhold reinier reka remy rena renata
    renate renato renaud renee reno rené renée reto reuben reva rex reynaldo reza rhea rhett rhian rhiannon rhoda
    rhonda rhys ria rian ricard ricarda ricardo riccardo richa richard richelle richie rick ricky rico rieke rik rika
    riley rina rino rishabh rishi rita ritu ritva rivka riya roald rob robbert robbie robby robert roberta roberto
    robin rocio rocío roderick rodger rodney rodolfo rodrigo roel rogelio roger rogério rohan rohini rohit rok roksana
    roland rolande rolando rolf rollo roma romain roman romana romane romeo romero romina romy ron rona ronald ronaldo
    ronan ronda roni ronit ronja ronnie ronny rory rosa rosabel rosalba rosalia rosalie rosalind rosalinda rosalyn
    rosamund rosana rosanna rosanne rosario roschin roseanne rosella roselyn rosemarie rosemary rosie rosina rosita
    roslyn ross roswitha rouven rowan roxana roxane roxanne roy roya royce royston rozanne ruben rubén rudi rudolf
    rudolph rudy rufus rui rukmini rupa rupal rupert rupesh ruslan russ russell rusty rutger ruth ruthanne ruthie ryan
    ryder ryley régis réka rémi rémy rüdiger saad saba sabah sabina sabine sabrina sabrine sabry sachin sadaf sadia
    sadie saeed sage sahar sahil said saif sajid sakshi saku salah saleh salim sally salma salman salome salomon
    salvador salvatore sam samantha samar sameer sami samia samina samir samira sammy samson samual samuel samya sana
    sandeep sander sandhya sandi sandip sandor sandra sandrina sandrine sandro sanja sanjay sanna sanne santhosh
    santiago santino sanya sapna sara sarada sarah saranya saras sarika sarina sarita sasa sascha sasha saskia saul
    saurabh savvas sayed saša scarlet scarlett schuyler scot scott scotty seamus sean seb sebastiaan sebastian
    sebastiano sebastián seema sefton segun selena selim selin selina selma sem semih senada sepp septimus serafina
    seraina serena serge sergei sergej sergey sergi sergio serhii serhiy serkan sertac seth sevda severin severine
    seyed seymour seán shahid shahin shahrukh shai shaina shalini shana shanaya shane shanna shannon shanon shanta
    shantanu shanti sharad shari sharla sharlene sharmila sharon sharyn shashank shaun shauna shawn shawna shay shayla
    shayna shea sheena sheila shekhar shelby sheldon shelley shelly sheri sheridan sherif sherman sherri sherry
    sherwin sheryl shikha shilpa shira shirin shirley shiva shivam shivani shlomo shobha shona shoshana shraddha
    shreya shreyas shruti shubham shubhangi shweta shyam sian sibel sibylle siddharth siddhartha sidney siegbert
    siegfried sigmar sigmund signe sigrid sigurd silas silja silke silvan silvana silvester silvestre silvia silvio
    silviu simen simon simona simone simran simão siméon sina sinan sindhu sindre sinead sini sinéad siobhan siobhán
    siri sissel siv sixten siân sjaak sjoerd skylar slava slavko slavomir slawomir sloane smita smriti sneha snežana
    sofia sofie sofía sohail solange soledad solomon solveig somaya sonali sondra sondre sonia soniya sonja sonny
    sophea sophia sophie sophy soraya soren sorin souad sourav spencer spiros spyros srdjan sree sridhar srinivas
    srinivasan stacey staci stacia stacie stacy stan stanislas stanislav stanislaw stanisław stanley starla stasia
    stavros steen stef stefan stefania stefanie stefano stefanos stefany steff steffan steffen steffi steinar stelios
    stella stellan sten stepan stephan stephane stephania stephanie stephanos stephany stephen stephenie sterling
    stevan steve steven stevie stew stewart stian stig stijn stine stoyan stuart sturla stéphane sudha sudhir sue
    sujata sukanya suki sulaiman suman sumanth sumedha sumit sunanda sunil sunita sunniva suraj surbhi suresh suri
    susan susana susann susanna susanne sushant sushma susi susie suzan suzana suzanna suzanne suzette suzie suzy
    svein sven svend svenja svetlana svitlana swapnil swati sybil sybille sydney syed sylke sylvain sylvester sylvia
    sylvie szabolcs szilvia szymon sándor séamus sébastien séverine sílvia sónia sören søren sławomir tabatha tabea
    tabitha tad tadas tadeo tadeusz tahir taina takashi takeshi tali talia talya tamar tamara tamas tami tamika tammie
    tammy tamsin tamás tania tanika tanisha tanja tanvi tanya tapio tara tarek tariq tarja tarun taryn tasha tasnim
    tasos tate tatiana tatjana tatyana tauno tavish tayla taylor tea ted teemu teena tegan teis tejal tejas temitope
    teodor teodora teofil tera terence teresa teri terrance terrell terrence terri terry tess tessa tessie tetiana
    tetyana thaddeus thalia thandi thanos thea theda thekla thelma themba theo theodor theodora theodore theodoros
    theodosia theres theresa therese thiago thibaud thibault thiemo thierry thies thijs thilo thom thomas thomasina
    thor thora thoralf thorben thorbjørn thore thorolf thorsten thuy thérèse tia tiago tiana tibor tiernan tiffani
    tiffany tija tilda tille tilman tilmann tim timea timo timon timothy timothée tina tineke tirza tiziana tiziano
    tjark tobi tobiah tobias tobin toby todd todor tom tomas tomasi tomaso tomasz tomaž tomi tomislav tomke tommaso
    tommie tommy tomoko tomáš toni tonia tonje tony tonya torben tord tore tori toril torill torin torstein torsten
    tove tracey traci tracie tracy traute travis treena trent trenton trevor tricia trina trish trisha tristan trond
    troy trude trudi trudy trygve tuan tudor tugba tuomas tuomo turid tutku twila ty tyler tyra tyree tyrone tyson
    tzvi tímea tünde udo ugo ulf uli ulises ulla ulric ulrica ulrich ulrik ulrike uma umar umberto umesh una undine
    unni uri uriah uriel urs ursel ursina ursula urszula urša usha usman uta ute utkarsh uwe uzma vaclav vadim vadym
    vaibhav valdemar valentin valentina valentine valentino valeria valerian valerie valerio valéria valérie vance
    vanda vanessa vanita vanja varun vasant vasil vasile vasiliki vasilios vasilis vasily vassilis vasyl vaughn ved
    veera velma venkat venkatesh vera verena verity verna vernon veronica veronika veronique vesa vesna vibeke vic
    vicente vicki vicky victoire victor victoria vidar vidya viet vijay vijaya vikas vikki vikram viktor viktoria
    viktorija vilhelm vilja ville vilma vilmos vimal vinay vince vincent vincenza vincenzo vineet vineeth vinod viola
    viorel vipin vipul viraj virgil virginia virginie virpi vishal vishnu vita vital vitali vitaly vito vittoria
    vittorio vivek vivian viviana viviane vivianne vivien vivienne vlad vladan vladimir vladimír vladislav vlado
    voitto vojtech vojtěch volha volker volodymyr vratislav vuk václav véronique víctor vítor wade wahid wallace wally
    walt walter walther waltraud wanda wanja warren warrick warwick wassim waylon wayne weldon wenche wendel wendelin
    wendell wendy wenzel werner wes wesley westley weston whitney wibke wiebke wiktor wiktoria wilbert wilbur wilder
    wiley wilf wilfred wilfrid wilfried wilhelm wilhelmina wilhelmine wilko willa willem willemijn willi william
    williams willie willy wilma wilmer wilson wim winfried winifred winnie winona winslow winston winthrop wioletta
    witold wladimir wojciech wolfgang wolfram wolter wout wouter wyatt wynn wytze władysław xavier xenia ximena
    xiomara yaakov yael yair yaman yan yana yanis yaniv yannick yara yarden yaren yash yashar yasin yasir yasmin
    yasmine yasser yassine yehuda yekaterina yelena yelyzaveta yesenia yevgeny yevhen yiannis yigit yitzhak ylva yngve
    yoav yoel yogesh yoko yolanda yolande yonatan yoni yorgos yosef yossi yousef youssef yousuf yuki yuko yulia yulian
    yuliana yuliya yumi yuri yuriy yusuf yuval yvan yves yvette yvonne zac zach zachariah zacharias zachary zack
    zahara zahra zaid zainab zaira zak zakir zana zander zane zara zarina zav zbigniew zdenka zdenko zdeněk zeb
    zeeshan zeina zelda zelma zena zeno zeynep ziad zibby zijad zina zinaida zita ziva zlata zlatan zlatko zoe zofia
    zoltan zoltán zora zoran zoya zoé zoë zsolt zsuzsa zsuzsanna zsófia zubair zuleika zulfiqar zuri zuzana zuzanna
    zygmunt ädu ägidius ähmed åke åsa åse çağla çağrı çiğdem éamon édouard élodie émile émilie émilien éric étienne
    éva ígor íris ístván órla ömer östen östlund özcan özge özgür özlem ørjan østen øystein øyvind ülkü ümit ünal
    aurélien blerim branimir davor dorota dubravka enric ewelina florina gaël gianluigi guðrún halina iñaki iveta
    jadranka joaquín kamila ksenija ludmiła magnús maël mateja martyna mirela nerea nuno ólafur patrycja
    rumen snežana sigríður silvija sławomir tomislav vesna violeta wioletta xabier yannis želimir
    adão gonçalo greyson györgy jürg konstanty kálmán lászló luís maría mária péter rosalía sándor sofía
    łukasz şeyma şule şükrü štěpán živa
"""

GIVEN_NAMES = frozenset(_NAMES.split()) | NAMES_ABROAD
